use std::collections::BTreeMap;
use std::hint::black_box;

use super::Cpu;

fn cpu(threads: &[(&str, u64)], process_ns: u64) -> Cpu {
    let threads: BTreeMap<String, u64> = threads.iter().map(|(name, ran)| ((*name).to_owned(), *ran)).collect();
    Cpu { threads, process_ns }
}

#[test]
fn the_time_of_our_own_work_is_seen() {
    let before = Cpu::of(std::process::id()).unwrap();
    let sum = (0..20_000_000_u64).fold(0, |sum: u64, number| black_box(sum.wrapping_add(number)));
    assert!(sum > 0);
    assert!(Cpu::of(std::process::id()).unwrap().since(&before) > 0);
}

#[test]
fn threads_are_added_up_unless_one_has_ended() {
    let before = cpu(&[("1", 100), ("2", 50)], 10_000_000);
    assert_eq!(cpu(&[("1", 150), ("2", 60), ("3", 5)], 30_000_000).since(&before), 65);
    assert_eq!(cpu(&[("1", 150)], 30_000_000).since(&before), 20_000_000);
}
