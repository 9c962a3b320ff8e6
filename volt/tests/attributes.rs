//! Uses of `#[volt::test]`.

use std::rc::Rc;
use std::time::{Duration, Instant};

use volt::time::{now, sleep};

#[volt::test]
async fn test_runs_on_its_own_thread() {
    let number = Rc::new(3);
    let task = volt::spawn_local(async move { *number });
    assert_eq!(task.await.unwrap(), 3);
}

#[volt::test(workers = 2)]
async fn test_has_workers() {
    assert_eq!(volt::Handle::current().stats().workers.len(), 2);
    let worker = volt::spawn(async { std::thread::current().id() });
    assert_ne!(worker.await.unwrap(), std::thread::current().id());
}

#[volt::test(start_paused = true)]
async fn paused_test_takes_no_time() {
    let (start, begun) = (Instant::now(), now());
    sleep(Duration::from_secs(3_600)).await;
    assert_eq!(now() - begun, Duration::from_secs(3_600));
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[volt::test]
async fn test_may_fail_by_question_mark() -> Result<(), Box<dyn std::error::Error>> {
    let number: u32 = "7".parse()?;
    volt::spawn(async move { assert_eq!(number, 7) }).await?;
    Ok(())
}

#[volt::test]
#[should_panic(expected = "on purpose")]
async fn panic_fails_the_test() {
    panic!("on purpose");
}

#[volt::test(orphans = "cancel")]
async fn orphan_of_a_test_is_cancelled() {
    let orphan = volt::spawn(std::future::pending::<()>());
    assert!(orphan.await.unwrap_err().is_orphaned());
}

#[volt::test(orphans = "panic", workers = 1)]
async fn orphan_of_a_test_panics() {
    let orphan = volt::spawn(std::future::pending::<()>());
    assert!(orphan.await.unwrap_err().is_panic());
}
