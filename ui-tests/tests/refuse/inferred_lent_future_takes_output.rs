//! What is made of lent locals holds nothing else that is shorter than its machine: no earlier output
//! that borrows a lent local, and no borrow of a local of the call. Nor is such an output stored.
use volt::__private::inferred::{lend, Mode, Region, Slot, Token};
use volt::machine::StateMachine;

async fn next_line(buf: &mut [u8; 16]) -> &[u8] {
    &buf[..4]
}

async fn consume(line: &[u8], n: &mut usize) {
    *n += line.len();
}

macro_rules! advance {
    ($name:ident |$region:ident, $token:ident, $n:ident, $future:ident, $line:ident| $last:expr) => {
        unsafe fn $name<'m, S: StateMachine, M: Mode>(
            base: *mut u8,
            mode: &mut M,
            $region: &Region<'m>,
        ) {
            let $token = &Token::new();
            let buf = unsafe { Slot::<_, M, 16, 1>::at(base, 0) };
            let $n = unsafe { Slot::<_, M, 8, 8>::at(base, 16) };
            let first = unsafe { Slot::<_, M, 32, 8>::at(base, 24) };
            let $future = unsafe { Slot::<_, M, 48, 8>::at(base, 24) };
            buf.put($region, [0; 16]);
            $n.put($region, 0);
            first.put_lent($region, (lend(&buf.hold(), $token),), move |(buf,)| next_line(buf));
            let std::task::Poll::Ready($line) = first.hold().poll::<S>(mode, 1) else {
                return;
            };
            $last;
        }
    };
}

advance!(output_rides_along |region, token, n, future, line| {
    future.put_lent(region, (lend(&n.hold(), token),), move |(n,)| consume(line, n))
});

advance!(output_is_stored |region, token, n, future, line| {
    n.put_lent(region, (0,), |(n,)| n);
    future.put(region, line)
});

advance!(local_rides_along |region, token, n, future, line| {
    let local = [line[0]; 4];
    let look = &local[..];
    future.put_lent(region, (lend(&n.hold(), token),), move |(n,)| consume(look, n))
});

fn main() {}
