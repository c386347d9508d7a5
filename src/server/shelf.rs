//! A set of named things that clients list page by page: tools, resources, templates or prompts.
//!
//! Readers take an atomic snapshot and never wait; a change copies the little of the tree that it touches. The pages of
//! a list are written once per snapshot and revision and then served as bytes.

use std::collections::HashMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::{ArcSwap, Guard};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use imbl::OrdMap;

use crate::error::Error;
use crate::json::JsonWriter;
use crate::protocol::version::ProtocolVersion;

/// Pages that one snapshot keeps written.
const MAX_PAGES: usize = 1024;

/// Something that can be listed.
pub(crate) trait Entry: Send + Sync {
    /// The member of the result that holds the list.
    const LIST: &'static str;

    /// Writes the entry as the list shows it.
    fn write(&self, w: &mut JsonWriter, version: ProtocolVersion);
}

/// The set. Entries are ordered by key.
pub(crate) struct Shelf<T> {
    snapshot: ArcSwap<Snapshot<T>>,
    writing: Mutex<()>,
}

/// The set at one moment.
pub(crate) struct Snapshot<T> {
    entries: OrdMap<Arc<str>, Arc<T>>,
    pages: Mutex<HashMap<PageKey, Bytes>>,
}

/// The revision that a page is written for, and the key that it begins after.
type PageKey = (ProtocolVersion, Option<Arc<str>>);

impl<T: Entry> Shelf<T> {
    pub(crate) fn new() -> Shelf<T> {
        let empty = Snapshot { entries: OrdMap::new(), pages: Mutex::default() };
        Shelf { snapshot: ArcSwap::from_pointee(empty), writing: Mutex::new(()) }
    }

    pub(crate) fn get(&self, key: &str) -> Option<Arc<T>> {
        self.snapshot.load().entries.get(key).cloned()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.snapshot.load().entries.is_empty()
    }

    /// The set as it is at this moment.
    pub(crate) fn load(&self) -> Guard<Arc<Snapshot<T>>> {
        self.snapshot.load()
    }

    /// Adds an entry; false, and no change, when the key is taken.
    pub(crate) fn insert(&self, key: &str, entry: T) -> bool {
        self.change(|entries| {
            let is_new = !entries.contains_key(key);
            if is_new {
                entries.insert(key.into(), Arc::new(entry));
            }
            is_new
        })
    }

    /// Removes an entry; false when there was none.
    pub(crate) fn remove(&self, key: &str) -> bool {
        self.change(|entries| entries.remove(key).is_some())
    }

    fn change(&self, change: impl FnOnce(&mut OrdMap<Arc<str>, Arc<T>>) -> bool) -> bool {
        let _one_writer = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries = self.snapshot.load().entries.clone();
        let changed = change(&mut entries);
        if changed {
            self.snapshot.store(Arc::new(Snapshot { entries, pages: Mutex::default() }));
        }
        changed
    }

    /// Adds many entries at once; returns the first key that is taken, and changes nothing then.
    pub(crate) fn extend(&self, new: Vec<(Arc<str>, T)>) -> Result<(), Arc<str>> {
        let mut taken = None;
        self.change(|entries| {
            let before = entries.clone();
            for (key, entry) in new {
                if entries.insert(key.clone(), Arc::new(entry)).is_some() {
                    taken = Some(key);
                    *entries = before;
                    return false;
                }
            }
            true
        });
        taken.map_or(Ok(()), Err)
    }

    /// The members of one page of the list, written.
    ///
    /// # Errors
    /// `-32602`: the cursor was not issued for this list.
    pub(crate) fn page(&self, cursor: Option<&str>, size: usize, version: ProtocolVersion) -> Result<Bytes, Error> {
        let after = cursor.map(|cursor| decode_cursor(T::LIST, cursor)).transpose()?;
        Ok(self.snapshot.load().page(after, size, version))
    }
}

impl<T: Entry> Snapshot<T> {
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Arc<T>> {
        self.entries.values()
    }

    fn page(&self, after: Option<Arc<str>>, size: usize, version: ProtocolVersion) -> Bytes {
        let key = (version, after);
        if let Some(page) = self.pages.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return page.clone();
        }
        let page = self.write_page(key.1.as_deref(), size, version);
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= MAX_PAGES {
            pages.clear();
        }
        pages.insert(key, page.clone());
        page
    }

    fn write_page(&self, after: Option<&str>, size: usize, version: ProtocolVersion) -> Bytes {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let mut rest = self.entries.range::<_, str>((from, Bound::Unbounded)).peekable();
        let mut last = None;
        let mut w = JsonWriter::with_capacity(4096);
        w.key(T::LIST);
        w.begin_array();
        for (key, entry) in rest.by_ref().take(size) {
            entry.write(&mut w, version);
            last = Some(key);
        }
        w.end_array();
        if let Some(last) = last.filter(|_| rest.peek().is_some()) {
            w.string_member("nextCursor", &encode_cursor(T::LIST, last));
        }
        w.into_bytes()
    }
}

/// A cursor names the last key of the page before it, so it stays valid while the set changes. The check sum tells
/// cursors of this server's lists from everything else.
fn encode_cursor(list: &str, key: &str) -> String {
    let mut token = checksum(list, key).to_be_bytes().to_vec();
    token.extend_from_slice(key.as_bytes());
    URL_SAFE_NO_PAD.encode(token)
}

fn decode_cursor(list: &str, cursor: &str) -> Result<Arc<str>, Error> {
    let invalid = || {
        Error::invalid_params(
            "\"cursor\" is invalid: pass the \"nextCursor\" of the previous page unchanged, or leave it out for the first page",
        )
    };
    let token = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| invalid())?;
    let (sum, key) = token.split_first_chunk::<8>().ok_or_else(invalid)?;
    let key = std::str::from_utf8(key).map_err(|_| invalid())?;
    if u64::from_be_bytes(*sum) != checksum(list, key) {
        return Err(invalid());
    }
    Ok(key.into())
}

/// FNV-1a, 64 bit.
fn checksum(list: &str, key: &str) -> u64 {
    let bytes = list.bytes().chain([0]).chain(key.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
