use std::cell::RefCell;

use super::{alternate, median};

#[test]
fn the_median_is_the_middle_or_the_mean_of_both_middles() {
    let of = |figures: &[f64]| median(figures, |figure| *figure);
    assert_eq!(of(&[]), 0.0);
    assert_eq!(of(&[3.0, 1.0, 2.0]), 2.0);
    assert_eq!(of(&[4.0, 1.0, 2.0, 3.0]), 2.5);
}

#[test]
fn rounds_alternate_and_so_does_who_goes_first() {
    let order = RefCell::new(String::new());
    let side = |name: char| {
        order.borrow_mut().push(name);
        Ok(())
    };
    alternate(3, || side('l'), || side('r')).unwrap();
    assert_eq!(*order.borrow(), "lrrllr");
}

#[test]
fn the_first_failure_ends_the_rounds() {
    assert!(alternate(3, || Err::<(), _>("no".to_owned()), || Ok(())).is_err());
}
