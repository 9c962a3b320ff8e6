//! Tasks and jobs of the tokio runtime: they find the runtime of volt, and give way.
#![cfg(all(feature = "tokio", not(miri)))]

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::time::Duration;

use volt::io::{AsyncReadExt, repeat};
use volt::task::has_budget_remaining;
use volt::{Handle, Runtime};

fn with_context() -> Runtime {
    Runtime::builder().tokio_context().build().unwrap()
}

/// The tokio runtime starts its threads before the runtime of volt exists. Any of them may run the
/// first job. Busy threads change the order in which the system runs them.
#[test]
fn first_job_of_tokio_finds_the_runtime() {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let mut rounds = 0..300;
        let all_found = rounds.all(|_| {
            let runtime = with_context();
            runtime.block_on(async {
                let job = || Handle::try_current().is_some();
                tokio::task::spawn_blocking(job).await.unwrap()
            })
        });
        is_over.store(true, Relaxed);
        assert!(all_found, "failed in round {}", rounds.start);
    });
}

/// Spawns two endless tasks on the only worker of tokio, and expects that a third one runs.
fn assert_gives_way<F>(endless: fn() -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let runtime = with_context();
    let (send, ran) = channel();
    runtime.block_on(async {
        tokio::spawn(endless());
        tokio::spawn(endless());
        tokio::spawn(async move { send.send(()) });
    });
    let ran = ran.recv_timeout(Duration::from_secs(10));
    if ran.is_err() {
        // Its drop would wait for the endless task.
        std::mem::forget(runtime);
    }
    assert_eq!(ran, Ok(()));
}

#[volt::state_machine]
async fn pass_forever() {
    loop {
        std::future::ready(()).await;
    }
}

#[volt::state_machine(native)]
async fn pass_forever_natively() {
    loop {
        std::future::ready(()).await;
    }
}

#[volt::state_machine]
async fn pass_in_a_block_forever() {
    let block = async {
        loop {
            std::future::ready(()).await;
        }
    };
    block.await;
}

#[test]
fn machine_in_a_task_of_tokio_gives_way() {
    assert_gives_way(pass_forever);
    assert_gives_way(pass_forever_natively);
    assert_gives_way(pass_in_a_block_forever);
}

#[test]
fn leaf_in_a_task_of_tokio_gives_way() {
    assert_gives_way(|| async {
        loop {
            repeat(1).read_exact(&mut [0; 4]).await.unwrap();
        }
    });
    assert_gives_way(|| async {
        loop {
            volt::task::consume_budget().await;
        }
    });
}

#[test]
fn spent_budget_of_tokio_is_reported() {
    let left = with_context().block_on(async {
        let task = tokio::spawn(async {
            let before = has_budget_remaining();
            let mut reads = pin!(async {
                loop {
                    repeat(1).read_exact(&mut [0; 4]).await.unwrap();
                }
            });
            std::future::poll_fn(|cx| {
                assert!(reads.as_mut().poll(cx).is_pending());
                std::task::Poll::Ready((before, has_budget_remaining()))
            })
            .await
        });
        task.await.unwrap()
    });
    assert_eq!(left, (true, false));
}

/// The inner executor does not return to tokio, whose budget is spent after 128 reads.
#[test]
fn foreign_block_on_in_a_task_of_tokio_continues() {
    let runtime = with_context();
    let (send, ended) = channel();
    runtime.block_on(async {
        tokio::spawn(async move {
            futures::executor::block_on(async {
                for _ in 0..1_000 {
                    repeat(1).read_exact(&mut [0; 4]).await.unwrap();
                }
            });
            send.send(())
        });
    });
    let ended = ended.recv_timeout(Duration::from_secs(10));
    if ended.is_err() {
        std::mem::forget(runtime);
    }
    assert_eq!(ended, Ok(()));
}
