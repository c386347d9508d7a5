use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

/// A client of a session that is open until somebody says otherwise.
struct Fake {
    name: RawJson,
    open: AtomicBool,
}

impl Fake {
    fn client(name: &str) -> Arc<Fake> {
        Arc::new(Fake { name: RawJson::string(name), open: AtomicBool::new(true) })
    }
}

impl Remote for Fake {
    fn version(&self) -> ProtocolVersion {
        ProtocolVersion::ALL[0]
    }

    fn info(&self) -> &RawJson {
        &self.name
    }

    fn capabilities(&self) -> &RawJson {
        &self.name
    }

    fn is_open(&self) -> bool {
        self.open.load(Ordering::Relaxed)
    }

    fn wants(&self, _: LoggingLevel) -> bool {
        false
    }

    fn send(&self, _: Bytes) {}

    fn ask(&self, _: InputRequest) -> Answering<'_> {
        Box::pin(async { Ok(RawJson::NULL) })
    }
}

fn names(clients: &Clients) -> Vec<String> {
    clients.open().iter().filter_map(|client| client.info_json().to_text()).collect()
}

#[test]
fn open_clients_are_listed_in_the_order_in_which_they_came() {
    let clients = Clients::default();
    let fakes = ["a", "b", "c"].map(Fake::client);
    for fake in &fakes {
        clients.enter(&(fake.clone() as Arc<dyn Remote>));
    }
    assert_eq!(names(&clients), ["a", "b", "c"]);
    fakes[1].open.store(false, Ordering::Relaxed);
    assert_eq!(names(&clients), ["a", "c"]);
    drop(fakes);
    assert!(names(&clients).is_empty());
}

#[test]
fn clients_that_have_gone_take_no_room() {
    let clients = Clients::default();
    let stays = Fake::client("stays");
    clients.enter(&(stays.clone() as Arc<dyn Remote>));
    for _ in 0..10_000 {
        clients.enter(&(Fake::client("goes") as Arc<dyn Remote>));
    }
    assert!(clients.lock().len() < 64, "{}", clients.lock().len());
    assert_eq!(names(&clients), ["stays"]);
}

#[test]
fn the_list_has_a_bound() {
    let clients = Clients::default();
    let fake = Fake::client("a") as Arc<dyn Remote>;
    for _ in 0..MOST_LISTED + 10 {
        clients.enter(&fake);
    }
    assert_eq!(clients.open().len(), MOST_LISTED);
}
