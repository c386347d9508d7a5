//! Cache hints of revision 2026-07-28.

use std::time::Duration;

use crate::json::JsonWriter;

/// How long, and by whom, a result may be kept (`ttlMs` and `cacheScope`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheHint {
    /// How long the client may take the result for fresh; zero means not at all.
    pub ttl: Duration,
    /// Who may keep it.
    pub scope: CacheScope,
}

/// Who may keep a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheScope {
    /// Anybody: it is the same for every user.
    Public,
    /// Only the one who asked.
    #[default]
    Private,
}

impl Default for CacheHint {
    /// Stale at once, private: what is safe for any result.
    fn default() -> CacheHint {
        CacheHint::private(Duration::ZERO)
    }
}

impl CacheHint {
    /// Fresh for `ttl`, for anybody.
    pub fn public(ttl: Duration) -> CacheHint {
        CacheHint { ttl, scope: CacheScope::Public }
    }

    /// Fresh for `ttl`, for the one who asked.
    pub fn private(ttl: Duration) -> CacheHint {
        CacheHint { ttl, scope: CacheScope::Private }
    }

    pub(crate) fn write_members(&self, w: &mut JsonWriter) {
        let milliseconds = u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX);
        w.value_member("ttlMs", &milliseconds);
        let scope = match self.scope {
            CacheScope::Public => "public",
            CacheScope::Private => "private",
        };
        w.string_member("cacheScope", scope);
    }
}
