//! What is made of lent locals holds nothing else that is shorter than its machine: no earlier output
//! that borrows a lent local, and no borrow of a local of the call. Nor is such an output stored.
use volt::__private::inferred::{Inferred, Mode, Parts, Region, Slots, Sound, Token};

async fn next_line(buf: &mut [u8; 16]) -> &[u8] {
    &buf[..4]
}

async fn consume(line: &[u8], n: &mut usize) {
    *n += line.len();
}

macro_rules! advance {
    ($name:ident |$region:ident, $token:ident, $n:ident, $future:ident, $line:ident| $last:expr) => {
        unsafe fn $name<'m, S: Inferred + Parts, M: Mode>(
            base: *mut u8,
            mode: &mut M,
            $region: &Region<'m>,
        ) {
            let $token = &Token::new();
            // SAFETY: it does not build, so nothing is at `base`.
            let slots = unsafe { Slots::<S, false>::of(base) };
            // SAFETY: as above.
            let buf = unsafe { slots.at::<_, 0>() };
            // SAFETY: as above.
            let $n = unsafe { slots.at::<_, 1>() };
            // SAFETY: as above.
            let first = unsafe { slots.at::<_, 2>() };
            // SAFETY: as above.
            let $future = unsafe { slots.at::<_, 3>() };
            buf.put($region, [0; 16]);
            $n.put($region, 0);
            first.put_lent($region, (Sound::<true>::lend(&buf.hold(), $token),), move |(buf,)| next_line(buf));
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
    future.put_lent(region, (Sound::<true>::lend(&n.hold(), token),), move |(n,)| consume(line, n))
});

advance!(output_is_stored |region, token, n, future, line| {
    n.put(region, 0);
    future.put(region, line)
});

advance!(local_rides_along |region, token, n, future, line| {
    let local = [line[0]; 4];
    let look = &local[..];
    future.put_lent(region, (Sound::<true>::lend(&n.hold(), token),), move |(n,)| consume(look, n))
});

fn main() {}
