//! Snapshots of steps with attempts and keys, which other code reads.

use std::cell::RefCell;

use serde::Serialize;
use serde::de::DeserializeOwned;
use volt::machine::{StepDriver, StepKey};

use super::Future;
use super::steps::drive;

thread_local! {
    /// The calls so far, each with its key.
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    /// The calls that fail, each with the number of failures that are left.
    static FAILURES: RefCell<Vec<(&'static str, u32)>> = const { RefCell::new(Vec::new()) };
}

async fn call(name: &str, key: StepKey) -> Result<String, String> {
    CALLS.with_borrow_mut(|calls| calls.push(format!("{name} {key}")));
    plain(name).await
}

async fn plain(name: &str) -> Result<String, String> {
    volt::task::yield_now().await;
    let fails = FAILURES.with_borrow_mut(|failures| {
        let failure = failures.iter_mut().find(|(failing, _)| *failing == name);
        failure.is_some_and(|(_, left)| {
            let fails = *left > 0;
            *left = left.saturating_sub(1);
            fails
        })
    });
    if fails {
        return Err(format!("{name} has failed"));
    }
    Ok(name.to_owned())
}

mod both {
    use super::{call, plain};

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn order(name: String) -> Result<String, String> {
        #[step(retry = 2, key = key)]
        #[state(Reserving)]
        let hold = call("reserve", key).await?;
        #[step(retry = 2, key = key)]
        #[state(Charging)]
        let paid = call("charge", key).await?;
        #[step]
        #[state(Mailing)]
        let sent = plain("mail").await?;
        Ok(format!("{name} {hold} {paid} {sent}"))
    }
}

mod first_lost {
    use super::{call, plain};

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn order(name: String) -> Result<String, String> {
        #[step]
        #[state(Reserving)]
        let hold = plain("reserve").await?;
        #[step(retry = 2, key = key)]
        #[state(Charging)]
        let paid = call("charge", key).await?;
        #[step]
        #[state(Mailing)]
        let sent = plain("mail").await?;
        Ok(format!("{name} {hold} {paid} {sent}"))
    }
}

mod first_removed {
    use super::{call, plain};

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn order(name: String) -> Result<String, String> {
        #[step(retry = 2, key = key)]
        #[state(Charging)]
        let paid = call("charge", key).await?;
        #[step(retry = 1)]
        #[state(Mailing)]
        let sent = plain("mail").await?;
        Ok(format!("{name} {paid} {sent}"))
    }
}

mod second_lost {
    use super::{call, plain};

    #[volt::state_machine(derive(Serialize, Deserialize))]
    pub(super) async fn order(name: String) -> Result<String, String> {
        #[step(retry = 2, key = key)]
        #[state(Asking)]
        call("ask", key).await?;
        #[step(retry = 2, key = key)]
        #[state(Reserving)]
        let hold = call("reserve", key).await?;
        #[step(key = key)]
        #[state(Charging)]
        let paid = call("charge", key).await?;
        #[step]
        #[state(Mailing)]
        let sent = plain("mail").await?;
        Ok(format!("{name} {hold} {paid} {sent}"))
    }
}

/// Runs a machine, in which some calls fail. Returns its output, the calls and the snapshots.
fn run_failing<M>(
    machine: M,
    driver: StepDriver<String>,
    failures: &[(&'static str, u32)],
) -> (Result<String, String>, Vec<String>, Vec<String>)
where
    M: Future<Output = Result<String, String>> + Serialize,
{
    CALLS.take();
    FAILURES.set(failures.to_vec());
    let mut driver = driver.with_machine_number(7);
    let (output, stored) = drive(machine, &mut driver);
    (output, CALLS.take(), stored)
}

/// Runs the machine of a snapshot, which was stored with the number of the next step.
fn run_stored<M>(
    snapshot: &str,
    next: u64,
    failures: &[(&'static str, u32)],
) -> (Result<String, String>, Vec<String>)
where
    M: Future<Output = Result<String, String>> + Serialize + DeserializeOwned,
{
    let machine: M = serde_json::from_str(snapshot).unwrap();
    let driver = StepDriver::resume(snapshot.to_owned(), next);
    let (output, calls, _) = run_failing(machine, driver, failures);
    (output, calls)
}

#[test]
fn state_of_a_step_stores_its_own_attempts() {
    let failures = [("reserve", 1), ("charge", 1)];
    let machine = both::order("a".into());
    let (output, calls, stored) = run_failing(machine, StepDriver::new(), &failures);
    assert_eq!(output, Ok("a reserve charge mail".into()));
    let expected = ["reserve 7-0", "reserve 7-0", "charge 7-2", "charge 7-2"];
    assert_eq!(calls, expected);
    let expected = [
        r#"{"Reserving":{"name":"a","step_attempts":0,"await":0}}"#,
        r#"{"Reserving":{"name":"a","step_attempts":1,"await":0}}"#,
        r#"{"Charging":{"name":"a","hold":"reserve","step_attempts":0,"await":2}}"#,
        r#"{"Charging":{"name":"a","hold":"reserve","step_attempts":1,"await":2}}"#,
        r#"{"Mailing":{"name":"a","hold":"reserve","paid":"charge","await":4}}"#,
    ];
    assert_eq!(stored, expected);
}

#[test]
fn changes_of_another_step_keep_key_and_attempts() {
    // The first attempt has failed, and the first step has ended with the key 7-0.
    let charging = r#"{"Charging":{"name":"a","hold":"reserve","step_attempts":1,"await":2}}"#;
    let expected = vec!["charge 7-2".to_owned(); 2];
    let failures = [("charge", 2)];
    let failed: Result<String, String> = Err("charge has failed".into());
    let (output, calls) = run_stored::<both::Order>(charging, 4, &failures);
    assert_eq!((&output, &calls), (&failed, &expected));
    let (output, calls) = run_stored::<first_lost::Order>(charging, 4, &failures);
    assert_eq!((&output, &calls), (&failed, &expected));
    let (output, calls) = run_stored::<first_removed::Order>(charging, 4, &failures);
    assert_eq!((&output, &calls), (&failed, &expected));
}

#[test]
fn snapshots_of_all_versions_are_read() {
    let driver = StepDriver::new;
    let all = [
        run_failing(both::order("a".into()), driver(), &[("charge", 1)]),
        run_failing(first_lost::order("a".into()), driver(), &[("charge", 1)]),
        run_failing(first_removed::order("a".into()), driver(), &[("charge", 1)]),
        run_failing(second_lost::order("a".into()), driver(), &[]),
    ];
    let keys = ["7-1", "7-1", "7-0", "7-2"];
    for ((_, calls, stored), key) in all.into_iter().zip(keys) {
        let charge = format!("charge {key}");
        assert_eq!(calls.last(), Some(&charge));
        let is_charging = |snapshot: &&String| snapshot.contains("Charging");
        assert!(stored.iter().any(|snapshot| is_charging(&snapshot)));
        for snapshot in stored.iter().filter(is_charging) {
            let (output, calls) = run_stored::<first_removed::Order>(snapshot, 9, &[]);
            assert_eq!(output, Ok("a charge mail".into()), "{snapshot}");
            assert_eq!(calls, [charge.as_str()], "{snapshot}");
        }
        let mailing = stored.last().unwrap();
        let (output, calls) = run_stored::<first_removed::Order>(mailing, 9, &[]);
        assert_eq!(output, Ok("a charge mail".into()), "{mailing}");
        assert_eq!(calls, [""; 0], "{mailing}");
    }
}

#[test]
fn step_without_its_retry_keeps_its_key() {
    let charging = r#"{"Charging":{"name":"a","hold":"reserve","step_attempts":1,"await":2}}"#;
    let (output, calls) = run_stored::<second_lost::Order>(charging, 4, &[]);
    assert_eq!(output, Ok("a reserve charge mail".into()));
    assert_eq!(calls, ["charge 7-2"]);
}

#[test]
fn step_with_a_new_retry_begins_at_zero() {
    // The step had no `retry`: neither in its own state, nor in that of a later step.
    let charging = r#"{"Charging":{"name":"a","hold":"reserve","await":1}}"#;
    let (output, calls) = run_stored::<both::Order>(charging, 2, &[("charge", 2)]);
    assert_eq!(output, Ok("a reserve charge mail".into()));
    assert_eq!(calls, ["charge 7-1"; 3]);
    let mailing = r#"{"Mailing":{"name":"a","paid":"charge","await":2}}"#;
    let (output, calls) = run_stored::<first_removed::Order>(mailing, 3, &[("mail", 1)]);
    assert_eq!(output, Ok("a charge mail".into()));
    assert_eq!(calls, [""; 0]);
    let reserving = r#"{"Reserving":{"name":"a","await":0}}"#;
    let (output, calls) = run_stored::<both::Order>(reserving, 1, &[("reserve", 2)]);
    assert_eq!(output, Ok("a reserve charge mail".into()));
    assert_eq!(calls[..3], ["reserve 7-0"; 3]);
    assert_eq!(calls[3..], ["charge 7-3"]);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn without_key(name: String) -> Result<String, String> {
    #[step]
    #[state(A)]
    let a = plain("a").await?;
    #[step(retry = 2)]
    #[state(B)]
    let b = plain("b").await?;
    #[step(retry = 2)]
    #[state(C)]
    let c = plain("c").await?;
    #[step]
    #[state(D)]
    let d = plain("d").await?;
    Ok(format!("{name} {a} {b} {c} {d}"))
}

#[test]
fn snapshots_without_a_key_have_fixed_bytes() {
    let failures = [("b", 2), ("c", 1)];
    let machine = without_key("n".into());
    let (output, _, stored) = run_failing(machine, StepDriver::new(), &failures);
    assert_eq!(output, Ok("n a b c d".into()));
    let expected = [
        r#"{"A":{"name":"n","await":0}}"#,
        r#"{"B":{"name":"n","a":"a","step_attempts":0,"await":1}}"#,
        r#"{"B":{"name":"n","a":"a","step_attempts":1,"await":1}}"#,
        r#"{"B":{"name":"n","a":"a","step_attempts":2,"await":1}}"#,
        r#"{"C":{"name":"n","a":"a","b":"b","step_attempts":0,"await":4}}"#,
        r#"{"C":{"name":"n","a":"a","b":"b","step_attempts":1,"await":4}}"#,
        r#"{"D":{"name":"n","a":"a","b":"b","c":"c","await":6}}"#,
    ];
    assert_eq!(stored, expected);
}

#[test]
fn crash_in_any_attempt_keeps_the_attempts() {
    let (_, _, stored) = run_failing(both::order("a".into()), StepDriver::new(), &[("charge", 2)]);
    for (index, snapshot) in stored.iter().enumerate().skip(1).take(3) {
        let next = u64::try_from(index).unwrap() + 1;
        let (output, calls) = run_stored::<both::Order>(snapshot, next, &[("charge", 9)]);
        assert_eq!(output, Err("charge has failed".into()), "{snapshot}");
        assert_eq!(calls, vec!["charge 7-1"; 4 - index], "{snapshot}");
    }
}
