//! The tasks of one process as a plain table: what the stores that keep everything in memory share, and what the others
//! are compared with.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::record::TaskRecord;
use super::store::StoreError;

/// The table. Every look-up has its index.
#[derive(Clone, Default)]
pub(super) struct Table {
    tasks: HashMap<Arc<str>, TaskRecord>,
    by_owner: BTreeSet<(String, u64, Arc<str>)>,
    by_expiry: BTreeSet<(u64, Arc<str>)>,
    held: BTreeSet<(String, Arc<str>)>,
    leases: HashMap<String, u64>,
}

impl Table {
    pub(super) fn from_records(records: Vec<TaskRecord>) -> Table {
        let mut table = Table::default();
        records.into_iter().for_each(|record| table.put(record));
        table
    }

    pub(super) fn records(&self) -> impl Iterator<Item = &TaskRecord> {
        self.tasks.values()
    }

    pub(super) fn create(&mut self, task: TaskRecord, max_tasks: usize) -> Result<(), StoreError> {
        if self.tasks.len() >= max_tasks {
            return Err(StoreError::full(max_tasks));
        }
        if self.tasks.contains_key(task.id.as_str()) {
            return Err(StoreError::new("there is a task of this id already"));
        }
        self.put(task);
        Ok(())
    }

    pub(super) fn get(&self, id: &str) -> Option<TaskRecord> {
        self.tasks.get(id).cloned()
    }

    pub(super) fn replace(&mut self, mut task: TaskRecord) -> bool {
        let fits = |stored: &TaskRecord| stored.revision == task.revision && !stored.status.is_final();
        if !self.tasks.get(task.id.as_str()).is_some_and(fits) {
            return false;
        }
        self.take(&task.id);
        task.revision += 1;
        self.put(task);
        true
    }

    pub(super) fn list(&self, owner: &str, after: Option<(u64, String)>, limit: usize) -> Vec<TaskRecord> {
        let after = after.map(|(created, id)| (owner.to_owned(), created, Arc::from(id)));
        let from = after.clone().unwrap_or_else(|| (owner.to_owned(), 0, Arc::from("")));
        let own = self.by_owner.range(from..).take_while(|(other, ..)| other == owner);
        let own = own.filter(|key| after.as_ref() != Some(*key)).take(limit);
        own.filter_map(|(_, _, id)| self.tasks.get(id).cloned()).collect()
    }

    pub(super) fn heartbeat(&mut self, holder: &str, until: u64) {
        self.leases.insert(holder.to_owned(), until);
    }

    pub(super) fn claim(&mut self, holder: &str, now: u64, limit: usize) -> Vec<TaskRecord> {
        let is_alive = |other: &str| other == holder || self.leases.get(other).is_some_and(|until| *until > now);
        let lost = self.held.iter().filter(|(other, _)| !is_alive(other)).take(limit);
        let lost: Vec<Arc<str>> = lost.map(|(_, id)| id.clone()).collect();
        self.leases.retain(|other, until| other == holder || *until > now);
        let mut claimed = Vec::with_capacity(lost.len());
        for id in lost {
            if let Some(mut task) = self.take(&id) {
                task.holder = Some(holder.to_owned());
                task.revision += 1;
                claimed.push(task.clone());
                self.put(task);
            }
        }
        claimed
    }

    pub(super) fn sweep(&mut self, now: u64, limit: usize) -> Vec<String> {
        let expired = self.by_expiry.iter().take_while(|(expires, _)| *expires <= now).take(limit);
        let expired: Vec<Arc<str>> = expired.map(|(_, id)| id.clone()).collect();
        expired.into_iter().filter_map(|id| self.take(&id)).map(|task| task.id).collect()
    }

    fn put(&mut self, task: TaskRecord) {
        let id: Arc<str> = task.id.as_str().into();
        self.by_owner.insert((task.owner.clone(), task.created, id.clone()));
        self.by_expiry.extend(task.expires.map(|expires| (expires, id.clone())));
        if let Some(holder) = task.holder.as_ref().filter(|_| !task.status.is_final()) {
            self.held.insert((holder.clone(), id.clone()));
        }
        self.tasks.insert(id, task);
    }

    fn take(&mut self, id: &str) -> Option<TaskRecord> {
        let (id, task) = self.tasks.remove_entry(id)?;
        self.by_owner.remove(&(task.owner.clone(), task.created, id.clone()));
        if let Some(expires) = task.expires {
            self.by_expiry.remove(&(expires, id.clone()));
        }
        if let Some(holder) = &task.holder {
            self.held.remove(&(holder.clone(), id));
        }
        Some(task)
    }
}
