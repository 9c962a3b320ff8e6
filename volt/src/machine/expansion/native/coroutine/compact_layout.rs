//! The layout of a machine that stores its coroutine and nothing else.
//!
//! The compiler stores the state of a coroutine in a tag: 0 before the first poll, 1 after the
//! return, 2 after a panic, and another number for each suspend point. The tag is at the same
//! offset in all values of the type. A machine that was never polled has no coroutine. It stores a
//! zero at the offset of the tag, and its arguments before or after that. If they fit in neither
//! place without more memory, their bytes are packed around the tag.
//!
//! No function returns the offset of the tag. So a constant searches for it: it sets a part of the
//! bytes, and reads the discriminant. The standard library does not specify the discriminant of a
//! type that is no enum. If the search finds no such bytes, the machine has a stage of its own
//! after the coroutine.

use core::mem::{Discriminant, MaybeUninit, discriminant};
use core::ptr;

use super::super::argument_bytes::{ArgumentField, bytes_of};

/// The stage of a machine that was never polled: the tag of a coroutine that was never polled.
pub(crate) const UNRESUMED: usize = 0;
/// The stage of a machine that has returned.
pub(crate) const RETURNED: usize = 1;
/// The stage of a machine that has panicked.
pub(crate) const PANICKED: usize = 2;
/// The tag of the first suspend point, and the stage of a machine that has such a coroutine, but
/// does not know its tag.
pub(crate) const FIRST_SUSPEND: usize = 3;

/// The offsets of the parts of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CompactLayout {
    /// The size of the machine.
    pub(crate) size: usize,
    /// Its alignment.
    pub(crate) align: usize,
    /// The offset of the arguments before the first poll.
    pub(crate) arguments: usize,
    /// The fields of the arguments if they are packed: their bytes begin at offset zero, without
    /// padding, and those from the offset of the tag on are after the tag.
    pub(crate) packed: Option<&'static [ArgumentField]>,
    /// The tag of the coroutine, if it is known.
    pub(crate) tag: Option<CoroutineTag>,
    /// The tag of a machine that was never polled.
    pub(crate) start: usize,
    /// The offset of the machine's own stage, if the tag of the coroutine is not its stage.
    pub(crate) own_stage: Option<usize>,
}

/// The tag of a coroutine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CoroutineTag {
    pub(crate) offset: usize,
    /// Its size, which is one or two bytes.
    pub(crate) size: usize,
}

impl CompactLayout {
    /// Returns the layout of a coroutine `F` without arguments in its memory.
    pub(crate) const fn plain<F>() -> Self {
        Self {
            size: size_of::<F>(),
            align: align_of::<F>(),
            arguments: 0,
            packed: None,
            tag: None,
            start: UNRESUMED,
            own_stage: None,
        }
    }

    /// Returns the layout of a coroutine `F` that has its arguments from the beginning. It waits
    /// with them at its first suspend point if `is_gated` is `true`.
    pub(crate) const fn of_coroutine<F>(is_gated: bool) -> Self {
        let mut layout = Self::plain::<F>();
        layout.tag = find_tag::<F>();
        if is_gated {
            layout.start = FIRST_SUSPEND;
        }
        layout
    }

    /// Returns the smallest layout for arguments `A` with these fields, and a coroutine `F`.
    pub(crate) const fn of<A, F>(fields: &'static [ArgumentField]) -> Self {
        let tag = find_tag::<F>();
        let align = larger(align_of::<A>(), align_of::<F>());
        let end = larger(size_of::<A>(), size_of::<F>());
        let own = Self {
            size: (end + 1).next_multiple_of(align),
            align,
            arguments: 0,
            packed: None,
            tag,
            start: UNRESUMED,
            own_stage: Some(end),
        };
        let Some(found) = tag else { return own };
        let arguments = if size_of::<A>() <= found.offset {
            0
        } else {
            (found.offset + found.size).next_multiple_of(align_of::<A>())
        };
        let beside = larger(size_of::<F>(), arguments + size_of::<A>()).next_multiple_of(align);
        let bytes = bytes_of(fields);
        let end = if bytes <= found.offset {
            bytes
        } else {
            bytes + found.size
        };
        let packed = larger(size_of::<F>(), end).next_multiple_of(align);
        let is_packed = packed < beside;
        Self {
            size: if is_packed { packed } else { beside },
            align,
            arguments: if is_packed { 0 } else { arguments },
            packed: if is_packed { Some(fields) } else { None },
            tag,
            start: UNRESUMED,
            own_stage: None,
        }
    }
}

/// Returns the offset of the tag of a coroutine, if it is known and takes one byte.
pub(crate) const fn byte_of_tag<F>() -> Option<usize> {
    match find_tag::<F>() {
        Some(tag) if tag.size == 1 => Some(tag.offset),
        _ => None,
    }
}

const fn larger(first: usize, second: usize) -> usize {
    if first < second { second } else { first }
}

/// Bytes of which each second one is set. An even offset has a one, so a tag of two bytes gets one
/// bit, whatever the order of its bytes.
const PATTERN: [u8; 4096] = {
    let mut bytes = [0; 4096];
    let mut index = 0;
    while index < bytes.len() {
        bytes[index] = 1;
        index += 2;
    }
    bytes
};

/// The size from which on the tag is not searched.
const LARGEST: usize = 1 << 24;

/// Returns the tag of a coroutine.
const fn find_tag<F>() -> Option<CoroutineTag> {
    let size = size_of::<F>();
    if size > LARGEST || is_set::<F>(0, 0) {
        return None;
    }
    let mut start = 0;
    while start < 2 && start < size {
        if is_set::<F>(start, size - start) {
            return narrow::<F>(start, size - start);
        }
        start += 1;
    }
    None
}

/// Returns the tag within a range in which it is.
const fn narrow<F>(mut start: usize, mut length: usize) -> Option<CoroutineTag> {
    while length > 2 {
        let half = (length / 2).next_multiple_of(2);
        if is_set::<F>(start, half) {
            length = half;
        } else {
            start += half;
            length -= half;
        }
    }
    let end = start + 1;
    let is_wide = end < size_of::<F>() && is_set::<F>(end, 1);
    // A tag of four bytes has a third one.
    let is_too_wide = end + 1 < size_of::<F>() && is_set::<F>(end + 1, 1);
    if !is_set::<F>(start, 1) || is_too_wide {
        return None;
    }
    let size = if is_wide { 2 } else { 1 };
    Some(CoroutineTag {
        offset: start,
        size,
    })
}

/// Returns `true` if the discriminant of an `F` is not zero, of which the bytes of a range have the
/// pattern, and all others are zero.
const fn is_set<F>(start: usize, length: usize) -> bool {
    let mut value = MaybeUninit::<F>::zeroed();
    let mut done = 0;
    while done < length {
        let left = length - done;
        let count = if left < PATTERN.len() {
            left
        } else {
            PATTERN.len()
        };
        let pattern: *const [u8; PATTERN.len()] = &PATTERN;
        let place = value.as_mut_ptr().cast::<u8>().wrapping_add(start + done);
        // SAFETY: the range is within the value, and the count within the pattern.
        unsafe { ptr::copy_nonoverlapping(pattern.cast::<u8>(), place, count) };
        done += count;
    }
    // SAFETY: only a constant evaluates this. The compiler reads the tag of a coroutine and nothing
    // else, and reports a tag that is not valid as an error.
    let discriminant = discriminant(unsafe { &*value.as_ptr() });
    if size_of::<Discriminant<F>>() != size_of::<u32>() {
        return false;
    }
    // SAFETY: it is a number of this size.
    unsafe { (&raw const discriminant).cast::<u32>().read() != 0 }
}

#[cfg(test)]
mod tests {
    use core::future::{Future, poll_fn};
    use core::pin::{Pin, pin};
    use core::task::{Context, Poll, Waker};

    use super::super::super::argument_bytes::ArgumentBytes;
    use super::*;

    async fn turn() {
        let mut polled = false;
        poll_fn(|_| {
            if core::mem::replace(&mut polled, true) {
                return Poll::Ready(());
            }
            Poll::Pending
        })
        .await;
    }

    /// Its locals are live across several awaits, so the compiler stores them before the tag.
    async fn with_locals() -> usize {
        let words = std::vec![1, 2];
        let held = &words;
        turn().await;
        turn().await;
        held.len()
    }

    /// Has more suspend points than a tag of one byte has values.
    async fn with_many_awaits() {
        macro_rules! eight {
            ($($code:tt)*) => {
                $($code)*; $($code)*; $($code)*; $($code)*;
                $($code)*; $($code)*; $($code)*; $($code)*;
            };
        }
        eight!(eight!(eight!(turn().await)));
    }

    const fn tag_of<F>(_: fn() -> F) -> Option<CoroutineTag> {
        find_tag::<F>()
    }

    const fn layout_of<A: ArgumentBytes, F>(_: fn() -> F) -> CompactLayout {
        CompactLayout::of::<A, F>(A::FIELDS)
    }

    /// Reads the tag at each suspension, and at the end.
    fn tags<F: Future>(coroutine: F, tag: CoroutineTag) -> Vec<u16> {
        let mut coroutine = pin!(coroutine);
        let read = |coroutine: &mut Pin<&mut F>| {
            // SAFETY: nothing is moved.
            let place: *mut F = unsafe { Pin::get_unchecked_mut(Pin::as_mut(coroutine)) };
            let place = place.cast::<u8>().wrapping_add(tag.offset);
            if tag.size == 1 {
                // SAFETY: the tag is initialized.
                u16::from(unsafe { place.read() })
            } else {
                // SAFETY: as above.
                unsafe { place.cast::<u16>().read_unaligned() }
            }
        };
        let mut tags = vec![read(&mut coroutine)];
        let mut cx = Context::from_waker(Waker::noop());
        loop {
            let is_ready = Pin::as_mut(&mut coroutine).poll(&mut cx).is_ready();
            tags.push(read(&mut coroutine));
            if is_ready {
                return tags;
            }
        }
    }

    #[test]
    fn each_suspend_point_has_its_own_tag() {
        const TAG: Option<CoroutineTag> = tag_of(with_locals);
        let tag = TAG.expect("a coroutine has a tag");
        assert_eq!(tag.size, 1);
        assert_eq!(tags(with_locals(), tag), [0, 3, 4, 1]);
    }

    #[test]
    fn tag_of_many_awaits_has_two_bytes() {
        const TAG: Option<CoroutineTag> = tag_of(with_many_awaits);
        let tag = TAG.expect("a coroutine has a tag");
        assert_eq!(tag.size, 2);
        let tags = tags(with_many_awaits(), tag);
        let points = 3..3 + 512;
        assert!(
            tags.iter()
                .copied()
                .eq([0].into_iter().chain(points).chain([1]))
        );
    }

    /// A type whose tag has four bytes, with the values that the search sets in it.
    #[allow(dead_code, reason = "only the search creates the values")]
    #[repr(u32)]
    enum WideTag {
        Start = 0,
        First = u32::from_ne_bytes([1, 0, 0, 0]),
        Second = u32::from_ne_bytes([0, 1, 0, 0]),
        Third = u32::from_ne_bytes([0, 0, 1, 0]),
        Both = u32::from_ne_bytes([1, 0, 1, 0]),
    }

    #[test]
    fn tag_of_four_bytes_counts_as_unknown() {
        const LAYOUT: CompactLayout = CompactLayout::of::<(u8,), WideTag>(<(u8,)>::FIELDS);
        const BYTE: Option<usize> = byte_of_tag::<WideTag>();
        assert_eq!((LAYOUT.tag, BYTE), (None, None));
        assert_eq!((LAYOUT.own_stage, LAYOUT.size), (Some(4), 8));
    }

    #[test]
    fn type_without_a_tag_has_an_own_stage() {
        const LAYOUT: CompactLayout =
            CompactLayout::of::<(u32,), core::future::Ready<[u64; 2]>>(<(u32,)>::FIELDS);
        assert_eq!(LAYOUT.tag, None);
        assert_eq!(
            LAYOUT.own_stage,
            Some(size_of::<core::future::Ready<[u64; 2]>>())
        );
    }

    #[test]
    fn arguments_lie_beside_the_tag() {
        const SMALL: CompactLayout = layout_of::<(u64,), _>(with_locals);
        const SIZE: usize = CompactLayout::plain_of(with_locals).size;
        assert_eq!((SMALL.size, SMALL.own_stage), (SIZE, None));
        let arguments = SMALL.arguments..SMALL.arguments + 8;
        let tag = SMALL.tag.expect("a coroutine has a tag");
        assert!(SMALL.packed.is_none() && !arguments.contains(&tag.offset));
        assert!(arguments.end <= SMALL.size && tag.offset < SMALL.size);
    }

    #[test]
    fn large_arguments_lie_on_both_sides_of_the_tag() {
        const LARGE: CompactLayout = layout_of::<([u64; 40],), _>(with_locals);
        let tag = LARGE.tag.expect("a coroutine has a tag");
        assert!(tag.offset > 0 && tag.offset < 320);
        assert_eq!((LARGE.packed.is_some(), LARGE.arguments), (true, 0));
        assert_eq!((LARGE.size, LARGE.own_stage), (328, None));
    }

    #[test]
    fn tag_lies_in_the_padding_of_the_arguments() {
        async fn no_await() {}

        const BEHIND: CompactLayout = layout_of::<(u64, u32), _>(no_await);
        assert_eq!((BEHIND.size, BEHIND.packed.is_some()), (16, true));
        const BETWEEN: CompactLayout = layout_of::<(u32, u64), _>(no_await);
        assert_eq!((BETWEEN.size, BETWEEN.packed.is_some()), (16, true));
    }

    impl CompactLayout {
        const fn plain_of<F>(_: fn() -> F) -> Self {
            Self::plain::<F>()
        }
    }
}
