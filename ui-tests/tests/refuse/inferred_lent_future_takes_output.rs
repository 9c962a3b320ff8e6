//! What is made of lent locals holds nothing else that is shorter than its machine: no earlier output
//! that borrows a lent local, and no borrow of a local of the call. Nor is such an output stored.
use volt::__private::inferred::{ExplicitMachine, Mode, LayoutInfo, Region, SlotSet, WellTyped, Token};

async fn next_line(buf: &mut [u8; 16]) -> &[u8] {
    &buf[..4]
}

async fn consume(line: &[u8], n: &mut usize) {
    *n += line.len();
}

macro_rules! advance {
    ($name:ident |$region:ident, $token:ident, $n:ident, $future:ident, $line:ident| $last:expr) => {
        unsafe fn $name<'m, S: ExplicitMachine + LayoutInfo, M: Mode>(
            base: *mut u8,
            mode: &mut M,
            $region: &Region<'m>,
        ) {
            let $token = &Token::new();
            // SAFETY: it does not build, so nothing is at `base`.
            let slots = unsafe { SlotSet::<S, false>::of(base) };
            // SAFETY: as above.
            let buf = unsafe { slots.at::<_, 0>() };
            // SAFETY: as above.
            let $n = unsafe { slots.at::<_, 1>() };
            // SAFETY: as above.
            let first = unsafe { slots.at::<_, 2>() };
            // SAFETY: as above.
            let $future = unsafe { slots.at::<_, 3>() };
            buf.store($region, [0; 16]);
            $n.store($region, 0);
            first.store_borrowing($region, (WellTyped::<true>::borrow(&buf.guard(), $token),), move |(buf,)| next_line(buf));
            // SAFETY: as above.
            let tag = &unsafe { slots.tag::<S>() };
            let std::task::Poll::Ready($line) = first.__volt_poll(mode, tag, 1) else {
                return;
            };
            $last;
        }
    };
}

advance!(output_rides_along |region, token, n, future, line| {
    future.store_borrowing(region, (WellTyped::<true>::borrow(&n.guard(), token),), move |(n,)| consume(line, n))
});

advance!(output_is_stored |region, token, n, future, line| {
    n.store(region, 0);
    future.store(region, line)
});

advance!(local_rides_along |region, token, n, future, line| {
    let local = [line[0]; 4];
    let look = &local[..];
    future.store_borrowing(region, (WellTyped::<true>::borrow(&n.guard(), token),), move |(n,)| consume(look, n))
});

fn main() {}
