use super::{heap_usage, instructions};

#[test]
fn the_totals_of_valgrind_are_read() {
    assert_eq!(instructions("==1== Collected : 5542910"), Some([5_542_910.0]));
    let line = "==1==   total heap usage: 3,571 allocs, 3,497 frees, 2,317,647 bytes allocated";
    assert_eq!(heap_usage(line), Some([3571.0, 2_317_647.0]));
}

#[test]
fn other_lines_hold_no_totals() {
    assert_eq!(instructions("==1== Events    : Ir"), None);
    assert_eq!(heap_usage("listening on http://127.0.0.1:1/mcp"), None);
}
