use std::time::Duration;

use super::{Histogram, LONGEST, index, middle};

#[test]
fn every_duration_is_within_two_per_cent_of_its_bucket() {
    for nanos in [0, 1, 63, 64, 65, 127, 128, 1000, 54_321, 1_000_000, 999_999_999, LONGEST] {
        let off = (middle(index(nanos) as u64) - nanos as f64).abs();
        assert!(off <= nanos as f64 * 0.02, "{nanos}: off by {off}");
    }
}

#[test]
fn quantiles_of_a_known_series_are_found() {
    let mut half = Histogram::default();
    let mut other = Histogram::default();
    for micros in 1..=1000 {
        let target = if micros % 2 == 0 { &mut half } else { &mut other };
        target.record(Duration::from_micros(micros));
    }
    half.merge(&other);
    assert_eq!(half.samples(), 1000);
    assert!((half.percentile_us(50) - 500.0).abs() < 10.0);
    assert!((half.percentile_us(99) - 990.0).abs() < 20.0);
}

#[test]
fn an_empty_histogram_answers_zero() {
    assert_eq!(Histogram::default().percentile_us(50), 0.0);
}

#[test]
fn a_duration_beyond_the_last_bucket_is_counted_there() {
    let mut histogram = Histogram::default();
    histogram.record(Duration::from_secs(1 << 40));
    assert!(histogram.percentile_us(50) > 1e9);
}
