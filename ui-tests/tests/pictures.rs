//! The diagram of a native machine with macros in its function.

use std::future::ready;

use volt::machine::StateMachine;

macro_rules! leave {
    ($what:expr) => {
        if true {
            $what
        }
    };
}

macro_rules! ensure {
    ($holds:expr) => {
        if !$holds {
            return 0;
        }
    };
}

#[volt::state_machine(native)]
#[expect(dead_code, reason = "its type is looked at")]
async fn left_by_macros(count: u32) -> u32 {
    'outer: loop {
        loop {
            ready(()).await;
            leave!(if count > 5 {
                break 'outer;
            });
            leave!(if count > 4 {
                break;
            });
            leave!(drop(async { Some(count)?.checked_add(1) }));
        }
        ready(()).await;
    }
    ready(()).await;
    ensure!(count > 6);
    loop {
        ready(()).await;
        leave!(if count > 7 {
            return 7;
        })
    }
}

#[test]
fn diagram_has_the_transitions_of_macros() {
    let steps: Vec<_> = LeftByMacros::TRANSITIONS
        .iter()
        .map(|step| (step.from, step.to))
        .collect();
    let expected = [
        (0, 1),
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (3, 4),
        (3, 5),
        (4, 4),
        (4, 5),
    ];
    assert_eq!(steps, expected);
}
