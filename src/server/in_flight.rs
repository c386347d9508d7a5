//! The requests of one client that are being served: no two under one id, and any of them can be cancelled by its id.

use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use super::call::CallState;
use crate::error::Error;
use crate::json::RawJson;
use crate::protocol::id::RequestId;

/// The table.
#[derive(Default)]
pub(crate) struct InFlight(Mutex<HashMap<RequestId, Arc<CallState>>>);

impl InFlight {
    /// Enters a request. It leaves the table when the returned entry is dropped.
    ///
    /// # Errors
    /// `-32600`: a request of this id is being served. `-32603`: there are `limit` requests already.
    pub(crate) fn enter(self: &Arc<Self>, state: &Arc<CallState>, limit: usize) -> Result<Entered, Error> {
        let mut table = self.lock();
        InFlight::check_table(&table, state, limit)?;
        table.insert(state.id.clone(), state.clone());
        Ok(Entered { table: self.clone(), state: state.clone() })
    }

    /// Whether a request may be entered. For those who enter it only when it does not end at once, with no other in
    /// between.
    ///
    /// # Errors
    /// Those of `enter`.
    pub(crate) fn check(&self, state: &CallState, limit: usize) -> Result<(), Error> {
        InFlight::check_table(&self.lock(), state, limit)
    }

    fn check_table(table: &HashMap<RequestId, Arc<CallState>>, state: &CallState, limit: usize) -> Result<(), Error> {
        if table.contains_key(&state.id) {
            let id = state.id.as_raw();
            return Err(Error::invalid_request(format!("A request with the id {id} is still being served")));
        }
        if table.len() >= limit {
            return Err(Error::internal(format!("{limit} requests are being served; wait for one of them to end")));
        }
        Ok(())
    }

    /// Cancels the request of this id, if there is one.
    pub(crate) fn cancel(&self, id: RawJson) {
        let Ok(id) = RequestId::new(id) else { return };
        if let Some(state) = self.lock().get(&id) {
            state.cancel.abandon();
        }
    }

    /// Cancels all requests.
    pub(crate) fn cancel_all(&self) {
        self.lock().values().for_each(|state| state.cancel.abandon());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, Arc<CallState>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request in the table.
pub(crate) struct Entered {
    table: Arc<InFlight>,
    state: Arc<CallState>,
}

impl Entered {
    /// Runs `serve` to its end; `None` when the client gives up before, and then `serve` is dropped.
    pub(crate) async fn run<T>(self, serve: impl Future<Output = T>) -> Option<T> {
        let state = &self.state;
        let cancelled = state.cancel.wait();
        let (mut serve, mut cancelled) = (pin!(serve), pin!(cancelled));
        std::future::poll_fn(|cx| {
            if let Poll::Ready(value) = serve.as_mut().poll(cx) {
                return Poll::Ready(Some(value).filter(|_| !state.cancel.is_abandoned()));
            }
            cancelled.as_mut().poll(cx).map(|()| None)
        })
        .await
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.table.lock().remove(&self.state.id);
    }
}
