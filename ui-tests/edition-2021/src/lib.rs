//! Differences of the editions before 2024: this crate is of the edition 2021.
//!
//! A value without a name at the end of a block is dropped behind the locals of the block there.
#![cfg(test)]

use std::cell::RefCell;
use std::rc::Rc;

/// The dropped values, in order.
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

async fn later_by(value: D) -> usize {
    std::future::ready(()).await;
    value.0.len()
}

async fn both(log: &Log) -> (usize, D) {
    std::future::ready(()).await;
    (3, D("both", log.clone()))
}

fn fails(log: &Log) -> Result<usize, D> {
    Err(D("failed", log.clone()))
}

fn consume(value: D, other: &D) -> usize {
    value.0.len() + other.0.len()
}

fn some(value: &D) -> Option<usize> {
    Some(value.0.len())
}

fn first(turn: usize, log: &Log) -> Option<D> {
    (turn == 1).then(|| D("first", log.clone()))
}

impl D {
    fn and(self, other: &Self) -> usize {
        length(&self) + length(other)
    }
}

/// Declares a body once as a plain function and once for each set of options.
macro_rules! subject {
    ($test:ident $(: $layout:ident)?, |$log:ident| $body:block) => {
        #[test]
        fn $test() {
            async fn plain($log: Log, _argument: D) -> usize $body

            #[volt::state_machine$(($layout))?]
            async fn chosen($log: Log, _argument: D) -> usize $body

            #[volt::state_machine(native)]
            async fn native($log: Log, _argument: D) -> usize $body

            #[volt::state_machine(native, trace = false)]
            async fn quiet($log: Log, _argument: D) -> usize $body

            #[volt::state_machine(native)]
            #[tracing::instrument(skip_all)]
            async fn behind($log: Log, _argument: D) -> usize $body

            let logs: [Log; 5] = Default::default();
            let argument = |log: &Log| (log.clone(), D("argument", log.clone()));
            let (log, value) = argument(&logs[0]);
            let expected = volt::block_on(plain(log, value));
            let (log, value) = argument(&logs[1]);
            assert_eq!(volt::block_on(native(log, value)), expected);
            let (log, value) = argument(&logs[2]);
            assert_eq!(volt::block_on(quiet(log, value)), expected);
            let (log, value) = argument(&logs[3]);
            assert_eq!(volt::block_on(behind(log, value)), expected);
            let (log, value) = argument(&logs[4]);
            assert_eq!(volt::block_on(chosen(log, value)), expected);
            let [plain, others @ ..] = &logs;
            for other in others {
                assert_eq!(other, plain);
            }
            assert!(plain.borrow().ends_with(&["argument"]), "{plain:?}");
        }
    };
}

subject!(tail_of_a_function_outlives_its_locals: explicit, |log| {
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

subject!(emptied_value_of_a_tail_is_no_temporary: explicit, |log| {
    let mut turn = 0;
    while turn < 2 {
        std::future::ready(()).await;
        let _local = D("local", log.clone());
        turn += 1;
        match first(turn, &log) {
            Some(value) => drop(value),
            None => log.borrow_mut().push("none"),
        }
    }
    while turn > 0 {
        std::future::ready(()).await;
        let _local = D("local of `if`", log.clone());
        turn -= 1;
        if let Some(value) = first(turn, &log) {
            let _bound = value;
        }
    }
    turn
});

subject!(only_line_of_a_function_is_a_tail, |log| {
    later(&D("tail", log)).await
});

subject!(tail_behind_an_await_outlives_the_locals: explicit, |log| {
    let _first = D("first", log.clone());
    std::future::ready(()).await;
    let _second = D("second", log.clone());
    length(&D("tail", log))
});

subject!(tail_takes_a_local_and_outlives_the_others: explicit, |log| {
    let first = D("first", log.clone());
    let _second = D("second", log.clone());
    let word = later_by(D("third", log.clone())).await;
    word + length(&first) + consume(first, &D("tail", log))
});

subject!(tail_of_a_branch_ends_with_it, |log| {
    let _local = D("local", log.clone());
    if later_by(D("third", log.clone())).await > 3 {
        let _inner = D("inner", log.clone());
        std::future::ready(()).await;
        length(&D("tail", log.clone())) + 1
    } else {
        length(&D("other", log.clone()))
    }
});

subject!(tail_of_an_arm_ends_with_it, |log| {
    let _local = D("local", log.clone());
    match later_by(D("third", log.clone())).await {
        0 => later_by(D("none", log.clone())).await,
        n if n < 3 => length(&D("few", log.clone())),
        _ => length(&D("many", log.clone())),
    }
});

subject!(value_that_is_matched_at_the_tail_outlives_the_locals: explicit, |log| {
    let _local = D("local", log.clone());
    let some = Some(later_by(D("third", log.clone())).await);
    match (D("matched", log.clone()), some) {
        (D("matched", _), Some(n)) => n,
        (_, Some(n)) => n + 1,
        _ => 7,
    }
});

subject!(value_of_an_if_let_outlives_its_else: explicit, |log| {
    let _local = D("local", log.clone());
    let n = later_by(D("third", log.clone())).await;
    if let Some(4) = some(&D("asked", log.clone())) {
        n
    } else {
        length(&D("else", log.clone()))
    }
});

subject!(value_of_an_if_let_that_waits_outlives_its_else, |log| {
    let _local = D("local", log.clone());
    let n = later_by(D("third", log.clone())).await;
    if let Some(4) = some(&D("asked", log.clone())) {
        later_by(D("then", log.clone())).await
    } else {
        later_by(D("else", log.clone())).await + n
    }
});

subject!(output_that_is_matched_outlives_the_else, |log| {
    let _local = D("local", log.clone());
    let n = if let (4, _) = both(&log).await {
        length(&D("then", log.clone()))
    } else {
        length(&D("else", log.clone()))
    };
    n + length(&D("last", log.clone()))
});

subject!(
    tail_of_a_block_that_waits_alone_outlives_the_locals,
    |log| {
        let _local = D("local", log.clone());
        {
            later_by(D("third", log.clone())).await;
            length(&D("tail", log.clone()))
        }
    }
);

subject!(tail_of_a_block_with_a_label_outlives_the_locals, |log| {
    let _local = D("local", log.clone());
    'named: {
        if later_by(D("third", log.clone())).await == 3 {
            break 'named 4;
        }
        length(&D("tail", log.clone()))
    }
});

subject!(tail_of_an_operand_outlives_the_others, |log| {
    let _local = D("local", log.clone());
    let n = {
        later_by(D("third", log.clone())).await;
        length(&D("tail", log.clone()))
    } + length(&D("last", log.clone()));
    n + 1
});

subject!(tail_that_asks_outlives_the_locals: explicit, |log| {
    let _local = D("local", log.clone());
    let number = later_by(D("third", log.clone())).await;
    let held = D("held", log.clone());
    std::future::ready(()).await;
    held.and(&D("tail", log.clone())) + number
});

subject!(tail_behind_a_loop_outlives_the_locals: explicit, |log| {
    let mut list = vec![D("first", log.clone()), D("second", log.clone())];
    let mut n = 0;
    while let Some(one) = list.pop() {
        let kept = D("kept", log.clone());
        n += later_by(one).await;
        if n > 100 {
            break;
        }
        drop(kept);
    }
    let _local = D("local", log.clone());
    n + length(&D("tail", log.clone()))
});

subject!(what_an_if_let_leaves_outlives_its_else, |log| {
    let _local = D("local", log.clone());
    if let Ok(n) = fails(&log) {
        later_by(D("then", log.clone())).await + n
    } else {
        length(&D("else", log.clone()))
    }
});

subject!(tail_of_a_branch_that_waits_ends_before_the_locals: explicit, |log| {
    let _local = D("local", log.clone());
    if later_by(D("third", log.clone())).await > 3 {
        std::future::ready(()).await;
        length(&D("tail", log.clone()))
    } else {
        std::future::ready(()).await;
        length(&D("other", log.clone()))
    }
});

async fn pattern((one, _other): (D, D), _argument: D) -> usize {
    let _local = D("local", one.1.clone());
    length(&D("tail", one.1.clone()))
}

#[volt::state_machine]
async fn pattern_of_a_machine((one, _other): (D, D), _argument: D) -> usize {
    let _local = D("local", one.1.clone());
    length(&D("tail", one.1.clone()))
}

#[test]
fn function_tail_is_dropped_before_its_bindings() {
    let logs: [Log; 2] = Default::default();
    let pair = |log: &Log| (D("one", log.clone()), D("other", log.clone()));
    let last = |log: &Log| D("argument", log.clone());
    volt::block_on(pattern(pair(&logs[0]), last(&logs[0])));
    volt::block_on(pattern_of_a_machine(pair(&logs[1]), last(&logs[1])));
    assert_eq!(logs[0], logs[1]);
    assert!(logs[0].borrow().starts_with(&["local", "tail"]));
}

subject!(what_the_last_if_let_leaves_outlives_the_locals, |log| {
    for turn in 0..2_usize {
        let _local = D("local", log.clone());
        if let Ok(n) = fails(&log) {
            later_by(D("then", log.clone())).await;
            log.borrow_mut()
                .push(["few", "many"][usize::from(n > turn)]);
        }
    }
    2
});

subject!(value_of_a_let_without_a_name_ends_before_the_tail: explicit, |log| {
    let _ = &D("kept", log.clone());
    length(&D("tail", log))
});

subject!(value_of_a_let_behind_an_await_ends_before_the_tail: explicit, |log| {
    std::future::ready(()).await;
    let _ = &D("kept", log.clone());
    length(&D("tail", log))
});

subject!(value_of_a_let_in_a_branch_ends_before_its_tail, |log| {
    if log.borrow().is_empty() {
        std::future::ready(()).await;
        let _ = &D("kept", log.clone());
        length(&D("tail", log.clone()))
    } else {
        0
    }
});

subject!(temporary_of_a_tail_outlives_the_locals, |log| {
    let n = {
        let _local = D("local", log.clone());
        std::future::ready(()).await;
        D("tail", log.clone()).0.len()
    };
    n + 1
});

#[test]
fn tail_of_an_unsafe_function_ends_first() {
    async unsafe fn plain(log: Log, _argument: D) -> usize {
        later(&D("tail", log)).await
    }

    #[volt::state_machine]
    async unsafe fn machine(log: Log, _argument: D) -> usize {
        later(&D("tail", log)).await
    }

    let logs: [Log; 2] = Default::default();
    let argument = |log: &Log| (log.clone(), D("argument", log.clone()));
    let (log, value) = argument(&logs[0]);
    // SAFETY: The function has no requirements.
    let expected = volt::block_on(unsafe { plain(log, value) });
    let (log, value) = argument(&logs[1]);
    // SAFETY: As above.
    assert_eq!(volt::block_on(unsafe { machine(log, value) }), expected);
    assert_eq!(*logs[0].borrow(), ["tail", "argument"]);
    assert_eq!(logs[1], logs[0]);
}
