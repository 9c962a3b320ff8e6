//! Groups in a row, linked by their `next`.

use core::ptr;

use super::block::Group;
use crate::loom::sync::atomic::Ordering;

/// The link of a group.
///
/// # Safety
///
/// - It is not null, lives, and its link is the caller's.
unsafe fn next(group: *mut Group) -> *mut Group {
    // SAFETY: by contract.
    unsafe { &(*group).next }.load(Ordering::Relaxed)
}

/// Sets the link of a group.
///
/// # Safety
///
/// - As for [`next`].
pub(super) unsafe fn link(group: *mut Group, next: *mut Group) {
    // SAFETY: by contract.
    unsafe { &(*group).next }.store(next, Ordering::Relaxed);
}

/// Turns a chain round; returns its new first.
///
/// # Safety
///
/// - All groups in the chain live, and their links are the caller's.
#[inline]
pub(super) unsafe fn reverse(mut group: *mut Group) -> *mut Group {
    let mut behind = ptr::null_mut();
    while !group.is_null() {
        // SAFETY: by contract.
        let ahead = unsafe { next(group) };
        // SAFETY: by contract.
        unsafe { link(group, behind) };
        behind = group;
        group = ahead;
    }
    behind
}

/// Sorts a chain by the numbers of its children; returns its first and its last.
///
/// Merges runs that double in length, so that it takes neither memory nor more than n log n steps.
///
/// # Safety
///
/// - As for [`reverse`].
pub(super) unsafe fn sort(mut group: *mut Group) -> (*mut Group, *mut Group) {
    // `runs[n]` is empty, or sorted and of two to the n groups.
    let mut runs = [ptr::null_mut::<Group>(); usize::BITS as usize];
    while !group.is_null() {
        // SAFETY: by contract.
        let ahead = unsafe { next(group) };
        // SAFETY: by contract.
        unsafe { link(group, ptr::null_mut()) };
        let mut run = group;
        for sorted in &mut runs {
            let other = core::mem::replace(sorted, ptr::null_mut());
            if other.is_null() {
                *sorted = run;
                break;
            }
            // SAFETY: by contract.
            run = unsafe { merge(run, other) };
        }
        group = ahead;
    }
    // SAFETY: by contract.
    let first = runs
        .into_iter()
        .fold(ptr::null_mut(), |a, b| unsafe { merge(a, b) });
    // SAFETY: by contract.
    (first, unsafe { last(first) })
}

/// # Safety
///
/// - As for [`reverse`].
unsafe fn merge(mut a: *mut Group, mut b: *mut Group) -> *mut Group {
    let (mut first, mut last) = (ptr::null_mut(), ptr::null_mut());
    while !a.is_null() && !b.is_null() {
        // SAFETY: by contract.
        let a_number = unsafe { (*a).first };
        // SAFETY: by contract.
        let b_number = unsafe { (*b).first };
        let from = if a_number < b_number { &mut a } else { &mut b };
        let taken = *from;
        // SAFETY: by contract.
        *from = unsafe { next(taken) };
        // SAFETY: by contract.
        unsafe { append(&mut first, &mut last, taken) };
    }
    let rest = if a.is_null() { b } else { a };
    if !rest.is_null() {
        // SAFETY: by contract.
        unsafe { append(&mut first, &mut last, rest) };
    }
    first
}

/// # Safety
///
/// - As for [`reverse`].
unsafe fn append(first: &mut *mut Group, last: &mut *mut Group, group: *mut Group) {
    if last.is_null() {
        *first = group;
    } else {
        // SAFETY: by contract.
        unsafe { link(*last, group) };
    }
    *last = group;
}

/// # Safety
///
/// - As for [`reverse`].
unsafe fn last(mut group: *mut Group) -> *mut Group {
    let mut last = group;
    while !group.is_null() {
        last = group;
        // SAFETY: by contract.
        group = unsafe { next(group) };
    }
    last
}
