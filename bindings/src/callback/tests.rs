use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use super::*;

type Function = unsafe extern "C" fn(*mut c_void);

#[derive(Default)]
struct Counts {
    calls: AtomicUsize,
    destroyed: AtomicUsize,
}

unsafe extern "C" fn count(user_data: *mut c_void) {
    // SAFETY: the tests pass leaked counts.
    let counts = unsafe { &*user_data.cast::<Counts>() };
    assert_eq!(counts.destroyed.load(Ordering::SeqCst), 0, "a call after the destructor has begun");
    counts.calls.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn destroy(user_data: *mut c_void) {
    // SAFETY: as above.
    unsafe { &*user_data.cast::<Counts>() }.destroyed.fetch_add(1, Ordering::SeqCst);
}

fn counts() -> &'static Counts {
    Box::leak(Box::default())
}

fn pointer(counts: &'static Counts) -> *mut c_void {
    std::ptr::from_ref(counts).cast_mut().cast()
}

fn callback(gate: &SharedGate, counts: &'static Counts) -> Callback<Function> {
    Callback::new(gate, Some(count as Function), pointer(counts), Some(destroy)).unwrap()
}

fn call(callback: &Callback<Function>) -> bool {
    // SAFETY: the function and its data belong together.
    callback.call(|function, data| unsafe { function(data) }).is_some()
}

#[test]
fn the_destructor_runs_once_when_the_last_owner_goes() {
    let (gate, counts) = (SharedGate::default(), counts());
    let first = callback(&gate, counts);
    let second = first.clone();
    assert!(call(&first));
    drop(first);
    assert_eq!(counts.destroyed.load(Ordering::SeqCst), 0);
    drop(second);
    assert_eq!(counts.destroyed.load(Ordering::SeqCst), 1);
    gate.close(|| {});
    assert_eq!(counts.destroyed.load(Ordering::SeqCst), 1);
}

#[test]
fn the_destructor_runs_when_there_is_no_function() {
    let (gate, counts) = (SharedGate::default(), counts());
    assert!(Callback::<Function>::new(&gate, None, pointer(counts), Some(destroy)).is_err());
    assert_eq!(counts.destroyed.load(Ordering::SeqCst), 1);
}

#[test]
fn a_closed_gate_ends_calls_and_runs_destructors_though_the_callback_is_held() {
    let (gate, counts) = (SharedGate::default(), counts());
    let held = callback(&gate, counts);
    assert!(call(&held));
    gate.close(|| {});
    assert_eq!(counts.destroyed.load(Ordering::SeqCst), 1);
    assert!(!call(&held));
    assert_eq!(counts.calls.load(Ordering::SeqCst), 1);
}

#[test]
fn closing_waits_for_a_call_on_another_thread() {
    let (gate, counts) = (SharedGate::default(), counts());
    let running = callback(&gate, counts);
    let (entered, wait_entered) = mpsc::channel();
    let (go_on, wait_go_on) = mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        running.call(|_, _| {
            entered.send(()).unwrap();
            wait_go_on.recv().unwrap();
            assert_eq!(counts.destroyed.load(Ordering::SeqCst), 0);
        })
    });
    wait_entered.recv().unwrap();
    assert_eq!(gate.wait_quiet(Duration::from_millis(1)), 1);
    let closing = std::thread::spawn({
        let gate = gate.clone();
        move || gate.close(|| {})
    });
    go_on.send(()).unwrap();
    closing.join().unwrap();
    assert_eq!(counts.destroyed.load(Ordering::SeqCst), 1);
    thread.join().unwrap();
}

#[test]
fn closing_from_inside_a_call_returns_at_once_and_the_rest_happens_when_the_call_ends() {
    let (gate, counts) = (SharedGate::default(), counts());
    let own = callback(&gate, counts);
    let finished: &'static AtomicUsize = Box::leak(Box::default());
    own.call(|_, _| {
        gate.close(|| {
            finished.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!((counts.destroyed.load(Ordering::SeqCst), finished.load(Ordering::SeqCst)), (0, 0));
    });
    assert_eq!((counts.destroyed.load(Ordering::SeqCst), finished.load(Ordering::SeqCst)), (1, 1));
}

#[test]
fn calls_from_many_threads_and_a_close_at_any_moment_keep_the_promises() {
    for _ in 0..50 {
        let (gate, counts) = (SharedGate::default(), counts());
        let shared = callback(&gate, counts);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let shared = shared.clone();
                std::thread::spawn(move || while call(&shared) {})
            })
            .collect();
        gate.close(|| {});
        assert_eq!(counts.destroyed.load(Ordering::SeqCst), 1);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }
}
