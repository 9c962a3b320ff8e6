//! Task-local values of tasks that are polled inside of each other. Each task has its own value.

use std::sync::mpsc::channel;

use volt::task::{scope, yield_now};
use volt::{Builder, LocalRuntime, Runtime};

volt::task_local! {
    static USER: u32;
}

async fn user() -> Option<u32> {
    USER.try_get().ok()
}

/// Returns a runtime with one worker, on which a join polls its target.
fn runtime() -> Runtime {
    Builder::new().worker_threads(1).build().unwrap()
}

#[test]
fn joined_task_does_not_see_the_joiners_local() {
    let runtime = runtime();
    let seen = runtime.block_on(runtime.spawn(scope(&USER, 7, async {
        let seen = volt::spawn(user()).join().unwrap();
        assert_eq!(USER.get(), 7, "the joiner has its value again");
        seen
    })));
    assert_eq!(seen.unwrap(), None);
}

#[test]
fn task_joined_outside_does_not_see_the_joiners_local() {
    let runtime = runtime();
    let (release, wait) = channel::<()>();
    let busy = runtime.spawn(async move { wait.recv().is_err() });
    let other = runtime.spawn(user());
    let seen = USER.sync_scope(9, || other.join().unwrap());
    drop(release);
    assert_eq!((seen, busy.join().unwrap()), (None, true));
}

#[test]
fn joined_scope_begins_while_a_value_is_borrowed() {
    let runtime = runtime();
    let seen = runtime.block_on(runtime.spawn(scope(&USER, 7, async {
        let task = volt::spawn(scope(&USER, 8, async {
            let nested = volt::spawn(user()).join().unwrap();
            (nested, USER.get())
        }));
        USER.with(|user| (task.join().unwrap(), *user, USER.get()))
    })));
    assert_eq!(seen.unwrap(), ((None, 8), 7, 7));
}

#[test]
fn destructor_of_a_joined_task_sees_no_foreign_local() {
    struct SendsOnDrop(std::sync::mpsc::Sender<Option<u32>>);
    impl Drop for SendsOnDrop {
        fn drop(&mut self) {
            let _ = self.0.send(USER.try_with(|user| *user).ok());
        }
    }
    let runtime = runtime();
    let (sender, receiver) = channel();
    let (result_sender, result) = channel();
    let joiner = runtime.spawn(scope(&USER, 7, async move {
        let (inside, outside) = (SendsOnDrop(sender.clone()), SendsOnDrop(sender));
        let task = volt::spawn(async move {
            let _outside = outside;
            scope(&USER, 8, async move {
                let _inside = inside;
                yield_now().await;
            })
            .await;
        });
        task.cancel();
        result_sender.send(task.join().unwrap_err().is_cancelled())
    }));
    // A join would run the joiner on this thread, and the worker could poll the task before it is
    // cancelled.
    joiner.detach();
    assert_eq!(result.recv(), Ok(true));
    // The task was never polled, so its captures are dropped outside of its scope.
    assert_eq!(receiver.iter().collect::<Vec<_>>(), [None, None]);
}

#[test]
fn local_tasks_do_not_see_the_locals_of_block_on() {
    let runtime = LocalRuntime::new().unwrap();
    let (own, tasks) = USER.sync_scope(9, || {
        runtime.block_on(async { (user().await, volt::spawn_local(user()).await.unwrap()) })
    });
    assert_eq!((own, tasks), (Some(9), None));
}

#[test]
fn scopes_begin_and_end_while_values_are_borrowed() {
    let sum = USER.sync_scope(1, || {
        USER.with(|one| {
            let inner = USER.sync_scope(2, || {
                let sum = USER.with(|two| USER.sync_scope(3, || USER.get()) * 100 + two * 10);
                assert_eq!(USER.get(), 2);
                USER.sync_scope(4, || assert_eq!(USER.get(), 4));
                sum
            });
            assert_eq!(USER.get(), 1);
            inner + one
        })
    });
    assert_eq!(sum, 321);
    assert!(USER.try_with(|_| ()).is_err());
}

#[test]
fn panic_within_scopes_removes_their_values() {
    let panics = || {
        USER.sync_scope(1, || {
            USER.with(|_| USER.sync_scope(2, || panic!("on purpose")))
        })
    };
    assert!(std::panic::catch_unwind(panics).is_err());
    assert!(USER.try_with(|_| ()).is_err());
    assert_eq!(USER.sync_scope(3, || USER.get()), 3);
}
