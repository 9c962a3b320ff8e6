//! A machine is invariant in its lifetimes: what its body makes of one is nobody's business.
use std::marker::PhantomData;

use volt::__private::inferred::Bytes;
use volt::__private::native::HeldAcrossAwait;

#[repr(C)]
struct Look<'a> {
    bytes: Bytes<8, 8>,
    marker: HeldAcrossAwait<true, true>,
    parameters: PhantomData<(fn(&'a ()) -> &'a (),)>,
    end: (),
}

fn shorter<'s>(machine: Look<'static>, _: &'s str) -> Look<'s> {
    machine
}

fn main() {
    let _ = shorter;
}
