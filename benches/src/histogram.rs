//! Durations counted in a fixed set of buckets.
//!
//! Each power of two is cut into 64 buckets, so a quantile is off by less than two per cent. Recording never allocates.

use std::time::Duration;

const PER_OCTAVE: u64 = 64;
const BITS: u32 = PER_OCTAVE.trailing_zeros();
/// About eighteen minutes in nanoseconds; longer durations count as this one.
const LONGEST: u64 = (1 << 40) - 1;
const BUCKETS: usize = index(LONGEST) + 1;

/// A count of durations by length.
#[derive(Clone)]
pub struct Histogram {
    buckets: Box<[u64]>,
    samples: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { buckets: vec![0; BUCKETS].into_boxed_slice(), samples: 0 }
    }
}

impl Histogram {
    /// Counts one duration.
    pub fn record(&mut self, duration: Duration) {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(LONGEST).min(LONGEST);
        if let Some(bucket) = self.buckets.get_mut(index(nanos)) {
            *bucket += 1;
        }
        self.samples += 1;
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            *mine += theirs;
        }
        self.samples += other.samples;
    }

    /// The number of durations recorded.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The duration, in microseconds, that `percent` of the samples do not exceed; 0 without samples.
    #[must_use]
    pub fn percentile_us(&self, percent: u64) -> f64 {
        let rank = (self.samples * percent).div_ceil(100).max(1);
        let mut seen = 0;
        for (at, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return middle(at as u64) / 1000.0;
            }
        }
        0.0
    }
}

const fn index(nanos: u64) -> usize {
    if nanos < PER_OCTAVE {
        return nanos as usize;
    }
    let shift = nanos.ilog2() - BITS;
    (shift as u64 * PER_OCTAVE + (nanos >> shift)) as usize
}

/// The middle of a bucket, in nanoseconds.
fn middle(at: u64) -> f64 {
    if at < PER_OCTAVE {
        return at as f64;
    }
    let shift = at / PER_OCTAVE - 1;
    let low = (at % PER_OCTAVE + PER_OCTAVE) << shift;
    low as f64 + ((1_u64 << shift) - 1) as f64 / 2.0
}

#[cfg(test)]
mod tests;
