//! Alternating rounds and their medians.

/// Runs `left` and `right` `rounds` times each, next to each other, so that both meet the same disturbances.
pub(super) fn alternate<T>(
    rounds: usize,
    mut left: impl FnMut() -> Result<T, String>,
    mut right: impl FnMut() -> Result<T, String>,
) -> Result<(Vec<T>, Vec<T>), String> {
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        if round % 2 == 0 {
            lefts.push(left()?);
            rights.push(right()?);
        } else {
            rights.push(right()?);
            lefts.push(left()?);
        }
    }
    Ok((lefts, rights))
}

/// The median of one figure over the rounds; 0 without rounds.
pub(super) fn median<T>(rounds: &[T], figure: impl Fn(&T) -> f64) -> f64 {
    let mut figures: Vec<f64> = rounds.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    let upper = figures.get(figures.len() / 2);
    let lower = figures.get(figures.len().saturating_sub(1) / 2);
    upper.zip(lower).map_or(0.0, |(upper, lower)| (upper + lower) / 2.0)
}

#[cfg(test)]
mod tests;
