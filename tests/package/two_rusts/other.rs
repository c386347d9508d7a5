//! Another library in Rust, as a program might link it beside this one: with a copy of Rust's standard library of its own,
//! panics and threads included.

use std::collections::HashMap;

/// 1 when a panic in here was caught in here.
#[unsafe(no_mangle)]
pub extern "C" fn other_contains_panics() -> i32 {
    let caught = std::panic::catch_unwind(|| {
        let map: HashMap<&str, i32> = HashMap::new();
        map["nothing"]
    });
    i32::from(caught.is_err())
}

/// 1 when a thread in here ran.
#[unsafe(no_mangle)]
pub extern "C" fn other_runs_threads() -> i32 {
    std::thread::spawn(|| 1).join().unwrap_or(0)
}
