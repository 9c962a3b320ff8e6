//! Pairs of tasks that exchange one message.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, SyncSender};

use futures::channel::oneshot;

use crate::executor::Executor;
use crate::workload::{Describe, Run, Workload, timed};

const PAIRS: usize = 1_000;

pub(crate) struct PingPong;

impl Describe for PingPong {
    const NAME: &'static str = "ping_pong";
    const ABOUT: &'static str = "1,000 pairs of tasks, each over two oneshot channels";
}

impl Workload for PingPong {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        let (done, all_done) = mpsc::sync_channel(1_000);
        let remaining = Arc::new(AtomicUsize::new(0));
        timed(move || {
            remaining.store(PAIRS, Ordering::Relaxed);
            executor.block_on(async {
                let (done, remaining) = (done.clone(), remaining.clone());
                E::detach(E::spawn_here(async move {
                    for _ in 0..PAIRS {
                        let pair = pair::<E>(done.clone(), remaining.clone());
                        E::detach(E::spawn_here(pair));
                    }
                }));
                all_done.recv().expect("the last pair sends");
            });
        })
    }
}

async fn pair<E: Executor>(done: SyncSender<()>, remaining: Arc<AtomicUsize>) {
    let (ping, pinged) = oneshot::channel();
    let (pong, ponged) = oneshot::channel();
    E::detach(E::spawn_here(async move {
        pinged.await.expect("the pair pings");
        pong.send(()).expect("the pair waits");
    }));
    ping.send(()).expect("the peer waits");
    ponged.await.expect("the peer answers");
    if remaining.fetch_sub(1, Ordering::Relaxed) == 1 {
        done.send(()).expect("the receiver waits");
    }
}
