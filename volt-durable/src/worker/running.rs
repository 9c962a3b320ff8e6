//! A claimed machine, run to the end of its claim.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;

use super::migration::Migrate;
use super::settings::{Settings, TimedClaim};
use super::step_limits::Arrival;
use super::turn::{Turn, Turns};
use crate::error::{Error, Result};
use crate::machine::Durable;
use crate::resources::provide;
use crate::snapshot_text::panic_text;
use crate::store::{AfterFailure, Claimed, Continuation, Failure, Save, Store};

/// A running machine. Its output is the error of the store, if there is one.
pub(super) type RunningMachine = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// The function that runs the machines of a type.
pub(super) type Run<S> = fn(S, Settings, TimedClaim, Option<Migrate>) -> RunningMachine;

/// Runs a claimed machine until its claim ends.
pub(super) fn run<M: Durable, S: Store>(
    store: S,
    settings: Settings,
    claim: TimedClaim,
    migrate: Option<Migrate>,
) -> RunningMachine {
    Box::pin(async move {
        let held = claim.claimed.held;
        let attempts = claim.claimed.attempts;
        let ran = run_claim::<M, S>(&store, &settings, claim, migrate).await;
        if ran.is_err() {
            // The row may be stored or not. A row whose claim has not ended is tried again, and
            // one that cannot be reached is claimed again when its lease has expired.
            let failure = Failure {
                held,
                error: "the store has failed during a save".to_owned(),
                then: AfterFailure::Retry {
                    after: settings.delay_after(attempts),
                },
            };
            let _ = store.fail(&failure).await;
        }
        ran
    })
}

async fn run_claim<M: Durable, S: Store>(
    store: &S,
    settings: &Settings,
    claim: TimedClaim,
    migrate: Option<Migrate>,
) -> Result<()> {
    let TimedClaim {
        mut claimed,
        before,
        mut suspicion,
        mut place,
    } = claim;
    if let Some(error) = claimed.unreadable.take() {
        return fail(store, settings, &claimed, error, AfterFailure::Park).await;
    }
    let read = || {
        provide(&settings.provided, || {
            Turns::<M>::read(&mut claimed, migrate)
        })
    };
    let read = catch_unwind(AssertUnwindSafe(read));
    let mut turns = match read {
        Ok(Ok(turns)) => turns,
        Ok(Err(error)) => {
            return fail(store, settings, &claimed, error, AfterFailure::Park).await;
        }
        Err(panic) => return retry(store, settings, &claimed, panic_text(&*panic)).await,
    };
    loop {
        let turn = poll_fn(|cx| {
            let latest = store.clock(claimed.now, before);
            turns.context.begin_poll(claimed.now, latest);
            turns.poll(cx)
        });
        let mut then = match turn.await {
            Turn::Save(then) => then,
            Turn::Begin => {
                let Some(transaction) = store.begin().await? else {
                    let error = "the store has no transactions for `#[step(tx)]`".to_owned();
                    return fail(store, settings, &claimed, error, AfterFailure::Park).await;
                };
                turns.set_transaction(transaction);
                continue;
            }
            Turn::Panicked(text) => return retry(store, settings, &claimed, &text).await,
            Turn::Faulty(error) => {
                return fail(store, settings, &claimed, error, AfterFailure::Park).await;
            }
        };
        let snapshot = turns.snapshot();
        let mut next_place = None;
        if matches!(then, Continuation::Runs) {
            match settings.step_limits.arrive(&snapshot.state, &mut place) {
                Arrival::Runs(taken) => next_place = taken,
                Arrival::Waits => then = Continuation::Yields,
            }
        }
        let runs = matches!(then, Continuation::Runs);
        let save = Save {
            held: claimed.held,
            seq: claimed.seq + 1,
            next_step: turns.next_step(),
            state: snapshot.state,
            snapshot: snapshot.text,
            taken: turns.context.taken.clone(),
            family: turns.context.family.clone(),
            then,
        };
        let lost = match turns.take_transaction() {
            Some(transaction) => transaction.commit(save).await?,
            None => store.save(&[save]).await?.pop(),
        };
        if !runs || lost.is_some() {
            return Ok(());
        }
        claimed.seq += 1;
        claimed.attempts = 0;
        drop(suspicion.take());
        // The last step has ended, because the snapshot after it is stored.
        place = next_place;
        turns.set_saved();
    }
}

/// Ends an attempt that has panicked.
async fn retry<S: Store>(
    store: &S,
    settings: &Settings,
    claimed: &Claimed,
    text: &str,
) -> Result<()> {
    let then = if claimed.attempts < settings.max_attempts {
        AfterFailure::Retry {
            after: settings.delay_after(claimed.attempts),
        }
    } else {
        AfterFailure::Park
    };
    let error = format!("the machine has panicked: {text}");
    fail(store, settings, claimed, error, then).await
}

/// Ends a claim with an error.
async fn fail<S: Store>(
    store: &S,
    settings: &Settings,
    claimed: &Claimed,
    text: String,
    then: AfterFailure,
) -> Result<()> {
    let failure = Failure {
        held: claimed.held,
        error: text,
        then,
    };
    if store.fail(&failure).await?.is_none() {
        settings.report(&Error::Attempt {
            id: claimed.held.id,
            text: failure.error,
            is_parked: then == AfterFailure::Park,
        });
    }
    Ok(())
}
