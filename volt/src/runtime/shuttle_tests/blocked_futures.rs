//! Dumps beside threads in `block_on`.

use shuttle::thread;

use super::{Flag, explore, runtime};
use crate::runtime::Builder;

#[test]
fn dumps_of_a_thread_in_block_on_end() {
    explore(|| {
        let runtime = runtime(1);
        let (flag, handle) = (Flag::default(), runtime.handle().clone());
        let raises = flag.clone();
        let dumps = [0, 1].map(|_| {
            let handle = handle.clone();
            thread::spawn(move || handle.dump().block_on_futures().len())
        });
        let raiser = thread::spawn(move || raises.raise());
        handle.block_on(async {
            flag.raised().await;
            crate::task::yield_now().await;
        });
        for dump in dumps {
            assert!(dump.join().unwrap() <= 1);
        }
        raiser.join().unwrap();
        assert!(runtime.dump().block_on_futures().is_empty());
    });
}

#[test]
fn dumps_of_a_local_thread_in_block_on_end() {
    explore(|| {
        let builder = Builder::new().start_paused(true);
        let runtime = builder.build_local().expect("three descriptors");
        let (flag, handle) = (Flag::default(), runtime.handle().clone());
        let raises = flag.clone();
        let dump = thread::spawn(move || {
            let futures = handle.dump().block_on_futures().len();
            raises.raise();
            futures
        });
        runtime.block_on(async { flag.raised().await });
        assert!(dump.join().unwrap() <= 1);
    });
}
