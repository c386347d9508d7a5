//! The tables, and how connections are set up.

use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

/// The form of the tables.
const VERSION: i64 = 1;
/// How long a process waits for another one's transaction.
const BUSY: Duration = Duration::from_secs(5);

/// Why a file can't be used.
pub(super) enum Unfit {
    Sqlite(rusqlite::Error),
    Version(i64),
}

impl From<rusqlite::Error> for Unfit {
    fn from(error: rusqlite::Error) -> Unfit {
        Unfit::Sqlite(error)
    }
}

/// `size` counts the tasks, which SQLite itself can do only by looking at all of them.
const TABLES: &str = "
CREATE TABLE task (
    id TEXT PRIMARY KEY NOT NULL,
    owner TEXT NOT NULL,
    status TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    holder TEXT,
    revision INTEGER NOT NULL,
    is_over INTEGER NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX task_by_owner ON task (owner, created, id);
CREATE INDEX task_by_expiry ON task (expires) WHERE expires IS NOT NULL;
CREATE INDEX task_held ON task (holder) WHERE holder IS NOT NULL;
CREATE TABLE lease (holder TEXT PRIMARY KEY NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE size (stored INTEGER NOT NULL);
INSERT INTO size VALUES (0);
CREATE TRIGGER task_added AFTER INSERT ON task BEGIN UPDATE size SET stored = stored + 1; END;
CREATE TRIGGER task_removed AFTER DELETE ON task BEGIN UPDATE size SET stored = stored - 1; END;
";

/// Sets a connection up, and makes the tables where there are none.
pub(super) fn prepare(db: &mut Connection) -> Result<(), Unfit> {
    db.busy_timeout(BUSY)?;
    db.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    configure(db)?;
    // Of two processes that come first, one makes the tables and the other finds them.
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match found {
        VERSION => {
            transaction.query_row("SELECT stored FROM size", [], |_| Ok(()))?;
        }
        0 => {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        other => return Err(Unfit::Version(other)),
    }
    Ok(transaction.commit()?)
}

/// Sets a connection up.
pub(super) fn configure(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(BUSY)?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.set_prepared_statement_cache_capacity(32);
    Ok(())
}
