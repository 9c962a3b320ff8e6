//! Words of bits, and the order in which their bits are taken.

/// Children in a group: as many as a word has bits.
pub(super) const WORD: usize = usize::BITS as usize;

/// The first set bit at or after `start`, round the end of a word that is not zero.
#[inline]
pub(super) fn first_from(word: usize, start: usize) -> usize {
    let ahead = word.rotate_right(start as u32).trailing_zeros() as usize;
    (ahead + start) % WORD
}

/// The set bits of a word, from `start` on, round its end.
pub(super) fn bits_from(mut word: usize, start: usize) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = first_from(word, start);
        word &= !(1 << bit);
        Some(bit)
    })
}
