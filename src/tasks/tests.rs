//! Every store against a plain model: the same operations in random order, the same answers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::record::TaskRecord;
use super::{FileTaskStore, MemoryTaskStore, TaskStore};
use crate::json::RawJson;
use crate::protocol::task::TaskStatus;

/// What a store has to do, written down without any index.
#[derive(Default)]
struct Model {
    tasks: Vec<TaskRecord>,
    leases: BTreeMap<String, u64>,
}

impl Model {
    fn create(&mut self, task: TaskRecord, max_tasks: usize) -> bool {
        let fits = self.tasks.len() < max_tasks && self.get(&task.id).is_none();
        if fits {
            self.tasks.push(task);
        }
        fits
    }

    fn get(&self, id: &str) -> Option<TaskRecord> {
        self.tasks.iter().find(|task| task.id == id).cloned()
    }

    fn replace(&mut self, task: TaskRecord) -> bool {
        let stored = self.tasks.iter_mut().find(|stored| stored.id == task.id);
        let Some(stored) = stored.filter(|s| s.revision == task.revision && !s.status.is_final()) else { return false };
        *stored = TaskRecord { revision: task.revision + 1, ..task };
        true
    }

    fn list(&self, owner: &str, after: Option<(u64, String)>, limit: usize) -> Vec<TaskRecord> {
        let mut own: Vec<_> = self.tasks.iter().filter(|task| task.owner == owner).cloned().collect();
        own.sort_by_key(|task| (task.created, task.id.clone()));
        own.retain(|task| after.as_ref().is_none_or(|after| (task.created, task.id.clone()) > *after));
        own.truncate(limit);
        own
    }

    fn claimable(&self, holder: &str, now: u64) -> Vec<String> {
        let lives = |other: &String| other == holder || self.leases.get(other).is_some_and(|until| *until > now);
        let lost =
            self.tasks.iter().filter(|task| !task.status.is_final() && task.holder.as_ref().is_some_and(|h| !lives(h)));
        lost.map(|task| task.id.clone()).collect()
    }
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

fn random_task(dice: &mut Dice) -> TaskRecord {
    let status = [TaskStatus::Working, TaskStatus::InputRequired, TaskStatus::Completed, TaskStatus::Failed];
    TaskRecord {
        id: format!("id{}", dice.roll(40)),
        owner: format!("owner{}", dice.roll(3)),
        status: status[dice.roll(4) as usize],
        created: dice.roll(20),
        expires: Some(20 + dice.roll(200)).filter(|expires| expires % 5 != 0),
        holder: Some(format!("holder{}", dice.roll(3))).filter(|_| dice.roll(3) > 0),
        revision: dice.roll(3),
        body: RawJson::trusted(format!("{{\"n\":{}}}", dice.roll(1000))),
    }
}

async fn compare(store: &dyn TaskStore, seed: u64, steps: u64) {
    let (mut model, mut dice) = (Model::default(), Dice(seed));
    for step in 0..steps {
        let now = step / 4;
        match dice.roll(8) {
            0 | 1 => {
                let task = random_task(&mut dice);
                let is_full = model.tasks.len() >= 25;
                let created = store.create(task.clone(), 25).await;
                assert_eq!(created.is_ok(), model.create(task, 25), "{created:?}");
                assert!(created.is_ok() || created.unwrap_err().is_full() == is_full);
            }
            2 | 3 => {
                let mut task = random_task(&mut dice);
                task.revision = model.get(&task.id).map_or(0, |stored| stored.revision + dice.roll(4) / 3);
                assert_eq!(store.replace(task.clone()).await.unwrap(), model.replace(task));
            }
            4 => {
                let owner = format!("owner{}", dice.roll(3));
                let after = Some((dice.roll(20), format!("id{}", dice.roll(40)))).filter(|_| dice.roll(2) == 0);
                let limit = dice.roll(6) as usize;
                let listed = store.list(&owner, after.clone(), limit).await.unwrap();
                assert_eq!(listed, model.list(&owner, after, limit));
            }
            5 => {
                let (holder, until) = (format!("holder{}", dice.roll(3)), now + dice.roll(20));
                store.heartbeat(&holder, until).await.unwrap();
                model.leases.insert(holder, until);
            }
            6 => {
                let (holder, limit) = (format!("holder{}", dice.roll(3)), 1 + dice.roll(4) as usize);
                let may = model.claimable(&holder, now);
                let claimed = store.claim(&holder, now, limit).await.unwrap();
                assert_eq!(claimed.len(), may.len().min(limit));
                for task in claimed {
                    assert!(may.contains(&task.id), "{} was claimed and is held", task.id);
                    let stored = model.tasks.iter_mut().find(|stored| stored.id == task.id).unwrap();
                    stored.holder = Some(holder.clone());
                    stored.revision += 1;
                    assert_eq!(*stored, task);
                }
            }
            _ => {
                let mut removed = store.sweep(now, 100).await.unwrap();
                let is_over = |task: &TaskRecord| task.expires.is_some_and(|expires| expires <= now);
                let mut over: Vec<_> = model.tasks.iter().filter(|t| is_over(t)).map(|t| t.id.clone()).collect();
                model.tasks.retain(|task| !is_over(task));
                removed.sort();
                over.sort();
                assert_eq!(removed, over);
            }
        }
        let id = format!("id{}", dice.roll(40));
        assert_eq!(store.get(&id).await.unwrap(), model.get(&id), "step {step}");
    }
}

/// A path of its own for a test; what is there is removed.
fn place(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("libmcp-tasks-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder.join("tasks")
}

#[tokio::test]
async fn the_memory_store_does_what_the_model_does() {
    for seed in 0..20 {
        compare(&MemoryTaskStore::new(), seed, 1500).await;
    }
}

#[tokio::test]
async fn the_file_store_does_what_the_model_does() {
    for seed in 0..2 {
        compare(&FileTaskStore::open(place(&format!("file{seed}"))).unwrap(), seed, 300).await;
    }
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn the_sqlite_store_does_what_the_model_does() {
    for seed in 0..3 {
        compare(&super::SqliteTaskStore::open(place(&format!("sqlite{seed}"))).unwrap(), seed, 800).await;
    }
}

async fn is_still_there(open: impl Fn() -> Box<dyn TaskStore>) {
    let task = |id: &str, status| TaskRecord {
        id: id.into(),
        owner: "é\"".into(),
        status,
        created: 5,
        expires: None,
        holder: Some("gone".into()),
        revision: 0,
        body: RawJson::trusted(r#"{"text":"ü\n"}"#),
    };
    let store = open();
    store.heartbeat("gone", u64::MAX).await.unwrap();
    store.create(task("a", TaskStatus::Working), 10).await.unwrap();
    store.create(task("b", TaskStatus::Working), 10).await.unwrap();
    assert!(store.replace(task("b", TaskStatus::Completed)).await.unwrap());
    drop(store);
    // The thread that holds the lock ends soon after its store.
    let store = open();
    assert_eq!(store.get("a").await.unwrap(), Some(task("a", TaskStatus::Working)));
    let done = TaskRecord { revision: 1, ..task("b", TaskStatus::Completed) };
    assert_eq!(store.get("b").await.unwrap(), Some(done));
    assert!(store.create(task("c", TaskStatus::Working), 2).await.unwrap_err().is_full());
}

#[tokio::test]
async fn what_a_file_store_took_is_there_when_it_is_opened_again() {
    let path = place("reopen-file");
    let open = || -> Box<dyn TaskStore> {
        loop {
            match FileTaskStore::open(&path) {
                Ok(store) => return Box::new(store),
                Err(error) => assert!(error.to_string().contains("lock"), "{error}"),
            }
            std::thread::yield_now();
        }
    };
    is_still_there(open).await;
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn what_an_sqlite_store_took_is_there_when_it_is_opened_again() {
    let path = place("reopen-sqlite");
    is_still_there(|| Box::new(super::SqliteTaskStore::open(&path).unwrap())).await;
}

#[tokio::test]
async fn a_file_that_is_open_or_damaged_is_refused_and_left_as_it_is() {
    let path = place("damaged-file");
    let store = FileTaskStore::open(&path).unwrap();
    let second = FileTaskStore::open(&path).err().unwrap().to_string();
    assert!(second.contains("lock"), "{second}");
    drop(store);
    for damaged in ["{\"version\":1,\"tasks\":[{\"id\":", "{\"version\":7,\"tasks\":[]}", "[]"] {
        let path = place("damaged-file-2");
        std::fs::write(&path, damaged).unwrap();
        let error = FileTaskStore::open(&path).err().unwrap().to_string();
        assert!(error.contains("can't read the task file"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
    }
}

#[cfg(feature = "sqlite")]
#[test]
fn an_sqlite_file_that_is_damaged_or_of_another_version_is_refused_and_left_as_it_is() {
    let path = place("damaged-sqlite");
    let text = "this is no database at all, and long enough to be one ".repeat(50);
    std::fs::write(&path, &text).unwrap();
    let error = super::SqliteTaskStore::open(&path).err().unwrap().to_string();
    assert!(error.contains("not a database"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let path = place("version-sqlite");
    let db = rusqlite::Connection::open(&path).unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    drop(db);
    let error = super::SqliteTaskStore::open(&path).err().unwrap().to_string();
    assert!(error.contains("version 99"), "{error}");
}

#[tokio::test]
async fn a_file_that_can_not_be_written_fails_the_change_and_changes_nothing() {
    let path = place("full-file");
    let store = FileTaskStore::open(&path).unwrap();
    let task = |id: &str| TaskRecord {
        id: id.into(),
        owner: String::new(),
        status: TaskStatus::Working,
        created: 0,
        expires: None,
        holder: None,
        revision: 0,
        body: RawJson::EMPTY_OBJECT,
    };
    store.create(task("a"), 10).await.unwrap();
    // A folder in the place of the draft: no file can be made there, whoever runs the test.
    std::fs::create_dir(path.with_extension("draft")).unwrap();
    let error = store.create(task("b"), 10).await.unwrap_err();
    assert!(error.to_string().starts_with("can't write the task file: "), "{error}");
    assert_eq!(store.get("b").await.unwrap(), None);
    std::fs::remove_dir(path.with_extension("draft")).unwrap();
    store.create(task("b"), 10).await.unwrap();
    assert!(store.get("a").await.unwrap().is_some() && store.get("b").await.unwrap().is_some());
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn two_stores_on_one_sqlite_file_give_no_task_to_two() {
    let path = place("two-sqlite");
    let stores = [super::SqliteTaskStore::open(&path).unwrap(), super::SqliteTaskStore::open(&path).unwrap()];
    for n in 0..200 {
        let task = TaskRecord {
            id: format!("{n}"),
            owner: String::new(),
            status: TaskStatus::Working,
            created: 0,
            expires: None,
            holder: Some("dead".into()),
            revision: 0,
            body: RawJson::EMPTY_OBJECT,
        };
        stores[n % 2].create(task, 1000).await.unwrap();
    }
    let take = async |store: &super::SqliteTaskStore, holder: &str| {
        store.heartbeat(holder, u64::MAX).await.unwrap();
        let mut taken = Vec::new();
        loop {
            let claimed = store.claim(holder, 1, 7).await.unwrap();
            if claimed.is_empty() {
                return taken;
            }
            taken.extend(claimed.into_iter().map(|task| task.id));
        }
    };
    let (a, b) = tokio::join!(take(&stores[0], "a"), take(&stores[1], "b"));
    let mut all = [a, b].concat();
    assert_eq!(all.len(), 200);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 200);
}
