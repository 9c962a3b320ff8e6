#![allow(missing_docs, unused)]
use std::task::{Context, Poll};
use std::future::poll_fn;

pub struct Conn { n: u32 }
impl Conn { fn poll_read(&mut self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<Result<usize, String>> { self.n += 1; if self.n % 2 == 0 { cx.waker().wake_by_ref(); Poll::Pending } else { buf[0] = self.n as u8; Poll::Ready(Ok(1)) } } }

#[volt::state_machine]
pub async fn read(conn: &mut Conn, buf: &mut [u8]) -> Result<usize, String> {
    poll_fn(|cx| conn.poll_read(cx, buf)).await
}

#[volt::state_machine]
pub async fn read_all(conn: &mut Conn, limit: u32) -> Result<u32, String> {
    let mut total: u32 = 0;
    let mut buf: [u8; 16] = [0; 16];
    while total < limit {
        let n: usize = read(conn, &mut buf[..8]).await?;
        if n == 1 {
            let more: usize = read(&mut *conn, &mut buf).await?;
            total += more as u32;
            if total == 7 { break; }
        }
        total += buf[0] as u32;
    }
    Ok(total)
}

#[test]
fn runs() {
    let mut conn = Conn { n: 0 };
    let f = read_all(&mut conn, 100);
    println!("{f:?} {}", std::mem::size_of_val(&f));
    let r = futures_lite_block(f);
    assert!(r.is_ok(), "{r:?}");
    use volt::machine::StateMachine;
    println!("{}", ReadAll::mermaid());
    println!("{:#?}", ReadAll::STATES);
}
fn futures_lite_block<F: Future>(f: F) -> F::Output {
    let mut f = std::pin::pin!(f);
    let mut cx = Context::from_waker(std::task::Waker::noop());
    loop { if let Poll::Ready(x) = f.as_mut().poll(&mut cx) { return x } }
}
