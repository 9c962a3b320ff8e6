//! The output of a run.

use std::io::{self, Write};
use std::sync::atomic::Ordering::Relaxed;

use examples::middleware::{Attempts, FilterError, Timeout, TimeoutError};
use tower::Service;
use volt::machine::StateMachine;
use volt::runtime::Dump;

use crate::kitchen::{Cook, Kitchen, Log, Order};
use crate::patience::Patience;
use crate::{Attempt, Later, Meal, STOVES, Served, Waiter, compilers};

/// Prints the outcome of each order.
pub(crate) fn meals(
    out: &mut impl Write,
    orders: &[Order],
    meals: &[Served],
    log: &Log,
) -> io::Result<()> {
    writeln!(out, "{:<9} {:>8}  outcome", "order", "attempts")?;
    for (order, meal) in orders.iter().zip(meals) {
        let attempts = log.attempts(order.dish);
        writeln!(out, "{:<9} {attempts:>8}  {}", order.dish, outcome(meal))?;
    }
    Ok(())
}

/// The error shows which layer gave up, because each layer has a variant of its own.
fn outcome(meal: &Served) -> String {
    match meal {
        Ok(dish) => format!("served: {dish}"),
        Err(FilterError::Refused(why)) => format!("refused at once: {why}"),
        Err(FilterError::Inner(FilterError::Refused(why))) => format!("refused: {why}"),
        Err(FilterError::Inner(FilterError::Inner(error @ TimeoutError::Late(_)))) => {
            format!("given up: {error}")
        }
        Err(FilterError::Inner(FilterError::Inner(TimeoutError::Inner(burnt)))) => {
            format!("given up: {burnt}")
        }
    }
}

/// Prints the counters of the policy and of the kitchen.
pub(crate) fn totals(out: &mut impl Write, log: &Log) -> io::Result<()> {
    let (broken, late) = (log.broken.load(Relaxed), log.late.load(Relaxed));
    let peak = log.peak.load(Relaxed);
    writeln!(out, "\n{broken} attempts broke, {late} were too slow")?;
    writeln!(
        out,
        "{peak} orders cooked at a time at most, of {STOVES} allowed"
    )
}

/// Returns `true` if an order has reached the kitchen.
pub(crate) fn is_cooking(dump: &Dump) -> bool {
    let mut states = dump.tasks().iter().flat_map(|task| task.position.iter());
    states.any(|state| state.machine == Cook::NAME && state.name != "start")
}

/// Prints the positions of the calls.
pub(crate) fn position(out: &mut impl Write, dump: &Dump) -> io::Result<()> {
    writeln!(out, "\nWhere an order stands that takes its time\n{dump}")
}

/// The size of each layer's future, with all that it waits for inside.
pub(crate) fn sizes(out: &mut impl Write) -> io::Result<()> {
    type Future<S> = <S as Service<Order>>::Future;
    let machines = [
        ("timeout", size_of::<Future<Timeout<Kitchen>>>()),
        ("limit", size_of::<Future<Attempt>>()),
        ("retry", size_of::<Future<Waiter>>()),
        ("filter, async", size_of::<Future<Later>>()),
        ("filter", size_of::<Meal>()),
    ];
    writeln!(out, "\nSizes in bytes, each with those above it inside")?;
    writeln!(out, "{:<14} {:>7} {:>10}", "", "machine", "compiler's")?;
    writeln!(
        out,
        "{:<14} {:>7} {:>10}",
        "kitchen",
        size_of::<Cook>(),
        native::<Cook>()
    )?;
    for ((name, machine), compilers) in machines.into_iter().zip(compilers::sizes()) {
        writeln!(out, "{name:<14} {machine:>7} {compilers:>10}")?;
    }
    writeln!(
        out,
        "a box would add two words to each, and an allocation to each call"
    )
}

fn native<M: StateMachine>() -> String {
    M::NATIVE_SIZE.map_or_else(|| "?".to_owned(), |size| size.to_string())
}

/// The picture of the retry.
pub(crate) fn diagram(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\nThe retry, as Mermaid draws it")?;
    writeln!(out, "{}", Attempts::<Attempt, Patience, Order>::mermaid())
}
