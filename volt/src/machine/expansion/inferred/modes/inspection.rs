//! The parts of a machine that are inspected: its locals, and the futures in which a trace
//! continues.

use core::any::TypeId;
use core::fmt::{self, Debug};

use super::super::probe::StateSet;
use crate::machine::walk::Walk;

/// A local, and the awaits at which it is shown, one bit each.
#[derive(Debug)]
pub struct DebugLocal<'a> {
    name: &'static str,
    awaits: StateSet,
    value: LocalValue<'a>,
}

/// The part of a local that is shown.
#[derive(Clone, Copy, Debug)]
enum LocalValue<'a> {
    /// The value, and the name of its type, which is empty if there is no value.
    Text(&'a dyn Debug, fn() -> &'static str),
    /// The name of the type.
    Type(fn() -> &'static str),
    Future(TracedFuture<'a>),
}

/// A local that is shown by its value.
pub(crate) struct ShownValue<'a> {
    pub(crate) name: &'static str,
    pub(crate) value: &'a dyn Debug,
    /// The name of the value's type, or an empty text if there is no value.
    pub(crate) type_name: &'static str,
}

impl<'a> DebugLocal<'a> {
    const fn new(name: &'static str, awaits: StateSet, value: &'a dyn Debug) -> Self {
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
            value: LocalValue::Text(value, type_name),
        }
    }

    /// Returns a local of which the type is known, and the value is not read.
    pub(crate) const fn held(
        name: &'static str,
        awaits: StateSet,
        type_name: fn() -> &'static str,
    ) -> Self {
        Self {
            name,
            awaits,
            value: LocalValue::Type(type_name),
        }
    }

    /// Returns a local that an earlier await may have polled, and that these awaits do not poll.
    #[must_use]
    pub const fn dormant(name: &'static str, awaits: StateSet, future: TracedFuture<'a>) -> Self {
        Self {
            name,
            awaits,
            value: LocalValue::Future(future),
        }
    }

    fn is_shown(&self, awaits: usize) -> bool {
        self.awaits >> awaits & 1 != 0
    }

    /// Returns the value, if the local is shown by it at this await.
    pub(crate) fn at(&self, awaits: usize) -> Option<ShownValue<'a>> {
        let LocalValue::Text(value, type_name) = self.value else {
            return None;
        };
        self.is_shown(awaits).then(|| ShownValue {
            name: self.name,
            value,
            type_name: type_name(),
        })
    }

    /// Returns the name and the type, if the local has a known type at this await.
    pub(crate) fn type_at(&self, awaits: usize) -> Option<(&'static str, &'static str)> {
        let (LocalValue::Text(_, type_name) | LocalValue::Type(type_name)) = self.value else {
            return None;
        };
        self.is_shown(awaits).then(|| (self.name, type_name()))
    }

    /// Returns the name and the future, if the local is dormant at this await.
    pub(crate) fn dormant_at(&self, awaits: usize) -> Option<(&'static str, TracedFuture<'a>)> {
        match self.value {
            LocalValue::Text(..) | LocalValue::Type(_) => None,
            LocalValue::Future(future) => self.is_shown(awaits).then_some((self.name, future)),
        }
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

/// Any awaited future, or a local of any type.
pub trait TraceAny {
    /// Walks the value, if its type is registered.
    fn walk_if_registered(&self, walk: &mut Walk<'_, '_>);
}

/// An awaited future whose type may differ in the instance of `advance` that polls it.
pub trait TracePolled {
    /// Walks the future by the type that is registered.
    fn walk_as_polled(&self, walk: &mut Walk<'_, '_>, types: PolledTypes);
}

/// A machine that waits.
pub trait ReportTypes {
    /// Returns the types of the awaited future.
    fn polled_types(&self) -> PolledTypes;
}

/// The types of an awaited future in the two instances of `advance` that poll: with registration,
/// and without.
pub(crate) type PolledTypes = [Option<TypeId>; 2];

/// An awaited future, in which a trace continues.
#[derive(Clone, Copy)]
pub enum TracedFuture<'a> {
    /// A future that is known to be a machine.
    Machine(&'a dyn TraceMachine),
    /// Any other future.
    Any(&'a dyn TraceAny),
    /// A future of a type that may differ in the instance of `advance` that polls it.
    Polled(&'a dyn TracePolled, &'a dyn ReportTypes),
    /// A value in which no trace continues.
    Unknown,
}

impl Debug for TracedFuture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Machine(_) => "Machine",
            Self::Any(_) => "Any",
            Self::Polled(..) => "Polled",
            Self::Unknown => "Unknown",
        })
    }
}

impl TracedFuture<'_> {
    /// Returns the future, unless it cannot be inspected: another value may have borrowed it.
    #[must_use]
    pub fn unless(self, is_borrowed: bool) -> Self {
        if is_borrowed { Self::Unknown } else { self }
    }

    /// Walks the future that the machine awaits.
    pub(crate) fn walk(self, walk: &mut Walk<'_, '_>) {
        match self {
            Self::Machine(machine) => machine.walk(walk),
            Self::Any(future) => future.walk_if_registered(walk),
            Self::Polled(future, machine) => {
                future.walk_as_polled(walk, machine.polled_types());
            }
            Self::Unknown => {}
        }
    }
}
