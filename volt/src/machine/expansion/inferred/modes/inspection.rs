//! The parts of a machine that are inspected: its locals, and the futures in which a trace
//! continues.

use core::fmt::{self, Debug};

use super::super::probe::StateSet;
use crate::machine::walk::Walk;

/// A local, and the awaits at which it is shown, one bit each.
#[derive(Debug)]
pub struct DebugLocal<'a> {
    name: &'static str,
    awaits: StateSet,
    value: &'a dyn Debug,
    type_name: fn() -> &'static str,
}

impl<'a> DebugLocal<'a> {
    pub(crate) const fn new(name: &'static str, awaits: StateSet, value: &'a dyn Debug) -> Self {
        Self::typed(name, awaits, value, || "")
    }

    /// Returns a local that the awaited future has borrowed. Its value is not read.
    #[must_use]
    pub const fn borrowed(name: &'static str, awaits: StateSet) -> Self {
        Self::new(name, awaits, &StaticText(|| "<borrowed>"))
    }

    /// Returns a local whose value is not shown.
    #[must_use]
    pub const fn secret(name: &'static str, awaits: StateSet) -> Self {
        Self::new(name, awaits, &StaticText(|| "<secret>"))
    }

    /// Returns a local with the name of its type, by which a visitor can hide the value.
    pub(crate) const fn typed(
        name: &'static str,
        awaits: StateSet,
        value: &'a dyn Debug,
        type_name: fn() -> &'static str,
    ) -> Self {
        Self {
            name,
            awaits,
            value,
            type_name,
        }
    }

    /// Returns the name of the value's type, or an empty text if there is no value.
    pub(crate) fn type_name(&self) -> &'static str {
        (self.type_name)()
    }

    /// Returns the name and the value, if the local is shown at this await.
    pub(crate) fn at(&self, awaits: usize) -> Option<(&'static str, &'a dyn Debug)> {
        let is_shown = self.awaits >> awaits & 1 != 0;
        is_shown.then_some((self.name, self.value))
    }
}

/// A text that is written without quotes.
pub(crate) struct StaticText(pub(crate) fn() -> &'static str);

impl Debug for StaticText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str((self.0)())
    }
}

/// An awaited future that is known to be a machine.
pub trait TraceMachine {
    /// Walks the future.
    fn walk(&self, walk: &mut Walk<'_, '_>);
}

/// Any awaited future.
pub trait TraceAny {
    /// Walks the future, if its type is registered.
    fn walk_if_registered(&self, walk: &mut Walk<'_, '_>);
}

/// An awaited future, in which a trace continues.
#[derive(Clone, Copy)]
pub enum TracedFuture<'a> {
    /// A future that is known to be a machine.
    Machine(&'a dyn TraceMachine),
    /// Any other future.
    Any(&'a dyn TraceAny),
}

impl Debug for TracedFuture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Machine(_) => "Machine",
            Self::Any(_) => "Any",
        })
    }
}

impl TracedFuture<'_> {
    /// Walks the future that the machine awaits.
    pub(crate) fn walk(self, walk: &mut Walk<'_, '_>) {
        match self {
            Self::Machine(machine) => machine.walk(walk),
            Self::Any(future) => future.walk_if_registered(walk),
        }
    }
}
