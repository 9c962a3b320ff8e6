//! What the editions before 2024 do otherwise: this crate is of the edition 2021.
//!
//! A value without a name at the end of a block is dropped behind the locals of the block there.
#![cfg(test)]

use std::cell::RefCell;
use std::rc::Rc;

/// What was dropped, in order.
type Log = Rc<RefCell<Vec<&'static str>>>;

struct D(&'static str, Log);

impl Drop for D {
    fn drop(&mut self) {
        self.1.borrow_mut().push(self.0);
    }
}

fn length(value: &D) -> usize {
    value.0.len()
}

async fn later(value: &D) -> usize {
    std::future::ready(()).await;
    value.0.len()
}

/// Declares a body once as a plain function and once for each set of options.
macro_rules! subject {
    ($test:ident, |$log:ident| $body:block) => {
        #[test]
        fn $test() {
            async fn plain($log: Log, _argument: D) -> usize $body

            #[volt::state_machine(native)]
            async fn native($log: Log, _argument: D) -> usize $body

            #[volt::state_machine(native, trace = false)]
            async fn quiet($log: Log, _argument: D) -> usize $body

            #[volt::state_machine(native)]
            #[tracing::instrument(skip_all)]
            async fn behind($log: Log, _argument: D) -> usize $body

            let logs = [Log::default(), Log::default(), Log::default(), Log::default()];
            let argument = |log: &Log| (log.clone(), D("argument", log.clone()));
            let (log, value) = argument(&logs[0]);
            let expected = volt::block_on(plain(log, value));
            let (log, value) = argument(&logs[1]);
            assert_eq!(volt::block_on(native(log, value)), expected);
            let (log, value) = argument(&logs[2]);
            assert_eq!(volt::block_on(quiet(log, value)), expected);
            let (log, value) = argument(&logs[3]);
            assert_eq!(volt::block_on(behind(log, value)), expected);
            let [plain, others @ ..] = &logs;
            for other in others {
                assert_eq!(other, plain);
            }
            assert!(plain.borrow().ends_with(&["argument"]), "{plain:?}");
        }
    };
}

subject!(tail_of_a_function_outlives_its_locals, |log| {
    let _local = D("local", log.clone());
    length(&D("tail", log))
});

subject!(awaited_tail_of_a_function_outlives_its_locals, |log| {
    let _local = D("local", log.clone());
    later(&D("tail", log)).await
});

subject!(tail_of_an_inner_block_outlives_its_locals, |log| {
    let length = {
        let _local = D("local", log.clone());
        later(&D("tail", log.clone())).await
    };
    length + later(&D("last", log)).await
});

subject!(only_line_of_a_function_is_a_tail, |log| {
    later(&D("tail", log)).await
});
