//! Tasks in an SQLite file.

mod lane;
mod schema;

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Row, params};

use self::lane::Lane;
use super::record::TaskRecord;
use super::store::{StoreError, StoreFuture, TaskStore};
use crate::json::RawJson;
use crate::protocol::task::TaskStatus;

/// Keeps tasks in an SQLite file: the usual choice for a server whose tasks must survive.
///
/// What is written is on the disk before anybody is told (write-ahead log, full synchronisation). One thread writes and
/// puts all changes that wait into one transaction, so the disk is waited for once for many of them; another thread
/// reads and waits for nobody. Look-ups go by index, whatever the number of tasks.
///
/// Several processes of one machine may use one file at the same time. Their clocks are one, so a lease means the same
/// to all of them. A file on a network drive is not supported, as with SQLite in general.
pub struct SqliteTaskStore {
    writer: Lane,
    reader: Lane,
}

const COLUMNS: &str = "id, owner, status, created, expires, holder, revision, body";

impl SqliteTaskStore {
    /// Opens the file, or begins one. Not to be called where blocking is not allowed: it reads the file.
    ///
    /// # Errors
    /// The file can't be opened or written, is not an SQLite file of ours, or is damaged. It is left as it is.
    pub fn open(path: impl AsRef<Path>) -> Result<SqliteTaskStore, StoreError> {
        let path = path.as_ref();
        let failed =
            |error: rusqlite::Error| StoreError::new(format!("can't open the task file {}: {error}", path.display()));
        let mut writer = Connection::open(path).map_err(failed)?;
        schema::prepare(&mut writer).map_err(|error| match error {
            schema::Unfit::Sqlite(error) => failed(error),
            schema::Unfit::Version(found) => StoreError::new(format!(
                "the task file {} has the version {found}, which this library does not know",
                path.display()
            )),
        })?;
        let reader = Connection::open(path).map_err(failed)?;
        schema::configure(&reader).map_err(failed)?;
        Ok(SqliteTaskStore { writer: Lane::start(writer, true)?, reader: Lane::start(reader, false)? })
    }
}

impl TaskStore for SqliteTaskStore {
    fn create(&self, task: TaskRecord, max_tasks: usize) -> StoreFuture<'_, ()> {
        self.writer.run(move |db| {
            let stored: i64 = db.prepare_cached("SELECT stored FROM size")?.query_row([], |row| row.get(0))?;
            if usize::try_from(stored).is_ok_and(|stored| stored >= max_tasks) {
                return Ok(Err(StoreError::full(max_tasks)));
            }
            let text =
                "INSERT INTO task (id, owner, status, created, expires, holder, revision, body, is_over) VALUES (?1, \
                 ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
            db.prepare_cached(text)?.execute(params![
                task.id,
                task.owner,
                task.status.as_str(),
                time(task.created),
                task.expires.map(time),
                task.holder,
                time(task.revision),
                task.body.as_bytes(),
                task.status.is_final()
            ])?;
            Ok(Ok(()))
        })
    }

    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<TaskRecord>> {
        let id = id.to_owned();
        self.reader.run(move |db| {
            let mut query = db.prepare_cached(&format!("SELECT {COLUMNS} FROM task WHERE id = ?1"))?;
            query.query_row([id], record).optional().map(Ok)
        })
    }

    fn replace(&self, task: TaskRecord) -> StoreFuture<'_, bool> {
        self.writer.run(move |db| {
            let text = "UPDATE task SET owner = ?2, status = ?3, created = ?4, expires = ?5, holder = ?6, revision = \
                        revision + 1, body = ?8, is_over = ?9 WHERE id = ?1 AND revision = ?7 AND NOT is_over";
            let changed = db.prepare_cached(text)?.execute(params![
                task.id,
                task.owner,
                task.status.as_str(),
                time(task.created),
                task.expires.map(time),
                task.holder,
                time(task.revision),
                task.body.as_bytes(),
                task.status.is_final()
            ])?;
            Ok(Ok(changed == 1))
        })
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        after: Option<(u64, String)>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<TaskRecord>> {
        let owner = owner.to_owned();
        let (created, id) = after.map_or((-1, String::new()), |(created, id)| (time(created), id));
        self.reader.run(move |db| {
            let text = format!(
                "SELECT {COLUMNS} FROM task WHERE owner = ?1 AND (created, id) > (?2, ?3) ORDER BY created, id LIMIT ?4"
            );
            let mut query = db.prepare_cached(&text)?;
            let rows = query.query_map(params![owner, created, id, count(limit)], record)?;
            rows.collect::<Result<_, _>>().map(Ok)
        })
    }

    fn heartbeat<'a>(&'a self, holder: &'a str, until: u64) -> StoreFuture<'a, ()> {
        let holder = holder.to_owned();
        self.writer.run(move |db| {
            let text =
                "INSERT INTO lease (holder, until) VALUES (?1, ?2) ON CONFLICT (holder) DO UPDATE SET until = ?2";
            db.prepare_cached(text)?.execute(params![holder, time(until)])?;
            Ok(Ok(()))
        })
    }

    fn claim<'a>(&'a self, holder: &'a str, now: u64, limit: usize) -> StoreFuture<'a, Vec<TaskRecord>> {
        let holder = holder.to_owned();
        self.writer.run(move |db| {
            let text = format!(
                "UPDATE task SET holder = ?1, revision = revision + 1 WHERE id IN (SELECT id FROM task WHERE holder IS \
                 NOT NULL AND NOT is_over AND holder <> ?1 AND holder NOT IN (SELECT holder FROM lease WHERE until > \
                 ?2) LIMIT ?3) RETURNING {COLUMNS}"
            );
            let mut query = db.prepare_cached(&text)?;
            let rows = query.query_map(params![holder, time(now), count(limit)], record)?;
            let claimed = rows.collect::<Result<Vec<_>, _>>()?;
            db.prepare_cached("DELETE FROM lease WHERE until <= ?1 AND holder <> ?2")?
                .execute(params![time(now), holder])?;
            Ok(Ok(claimed))
        })
    }

    fn sweep(&self, now: u64, limit: usize) -> StoreFuture<'_, Vec<String>> {
        self.writer.run(move |db| {
            let text = "DELETE FROM task WHERE id IN (SELECT id FROM task WHERE expires IS NOT NULL AND expires <= ?1 \
                        ORDER BY expires LIMIT ?2) RETURNING id";
            let mut query = db.prepare_cached(text)?;
            let rows = query.query_map(params![time(now), count(limit)], |row| row.get(0))?;
            rows.collect::<Result<_, _>>().map(Ok)
        })
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<TaskRecord> {
    let damaged = |column: usize, what: String| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, what.into())
    };
    let status: String = row.get(2)?;
    let known = [
        TaskStatus::Working,
        TaskStatus::InputRequired,
        TaskStatus::Completed,
        TaskStatus::Failed,
        TaskStatus::Cancelled,
    ];
    let status = known.into_iter().find(|known| known.as_str() == status);
    let body: Vec<u8> = row.get(7)?;
    let millis = |column: usize| row.get(column).map(|millis: i64| millis.unsigned_abs());
    Ok(TaskRecord {
        id: row.get(0)?,
        owner: row.get(1)?,
        status: status.ok_or_else(|| damaged(2, "unknown status".into()))?,
        created: millis(3)?,
        expires: row.get::<_, Option<i64>>(4)?.map(i64::unsigned_abs),
        holder: row.get(5)?,
        revision: millis(6)?,
        body: RawJson::parse(body).map_err(|error| damaged(7, error.to_string()))?,
    })
}

/// Numbers beyond what SQLite can hold are as good as the largest.
fn time(millis: u64) -> i64 {
    i64::try_from(millis).unwrap_or(i64::MAX)
}

fn count(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
