//! The search for what ends a run of plain characters in a string.

use wide::u8x16;

/// The first byte from `at` on that ends or interrupts a run of plain characters in a string: a quote, a backslash or a
/// control character. The length of `text` when there is none. Sixteen bytes are compared at once.
pub(super) fn find_special(text: &[u8], mut at: usize) -> usize {
    while let Some(block) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let found = special(block);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += LANES;
    }
    find_in_tail(text, at)
}

/// The same for the last bytes, which are less than a block.
#[inline(never)]
fn find_in_tail(text: &[u8], at: usize) -> usize {
    let tail = text.get(at..).unwrap_or_default();
    // It is padded with a character that is not special.
    let mut last = [b' '; LANES];
    last[..tail.len()].copy_from_slice(tail);
    let found = special(&last);
    if found == 0 { text.len() } else { at + found.trailing_zeros() as usize }
}

const LANES: usize = 16;

/// A bit for each byte of the block that is special, the lowest for the first.
#[inline]
fn special(block: &[u8; LANES]) -> u32 {
    let bytes = u8x16::new(*block);
    let is_control = bytes.min(u8x16::splat(0x1f)).simd_eq(bytes);
    let is_quote = bytes.simd_eq(u8x16::splat(b'"'));
    let is_backslash = bytes.simd_eq(u8x16::splat(b'\\'));
    (is_control | is_quote | is_backslash).to_bitmask()
}
