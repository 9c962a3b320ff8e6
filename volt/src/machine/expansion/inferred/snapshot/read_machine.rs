//! The mode that reads a machine.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

use super::super::modes::{Mode, SnapshotMode, StorageForm, StoredValues, ValueReader};
use super::super::run::{Tag, base_mut};
use super::sources::{Fields, MissingField, NamedValues, OlderFields, OrderedValues, Source};
use super::write_machine::Snapshot;

/// The mode that reads the values of a state.
struct ReadMode<R: Source> {
    source: R,
    /// The names of the values.
    names: &'static [&'static str],
    older: OlderFields,
    is_complete: bool,
    error: Option<R::Error>,
}

impl<R: Source> ReadMode<R> {
    /// Returns the index of the field whose value is next in the input. Returns `None` after the
    /// last one, and after an error.
    fn next_field(&mut self, is_stored: &dyn Fn(usize) -> bool) -> Option<usize> {
        if self.error.is_some() {
            return None;
        }
        let (names, older) = (self.names, self.older);
        let next = self.source.next_field(Fields {
            names,
            older,
            is_stored,
        });
        self.checked(next)?
    }

    /// Records an error, after which nothing more is read.
    fn checked<T>(&mut self, result: Result<T, R::Error>) -> Option<T> {
        result.map_err(|error| self.error = Some(error)).ok()
    }
}

impl<R: Source> SnapshotMode for ReadMode<R> {
    const READS: bool = true;

    fn visit_state<V: StoredValues>(&mut self, _: usize, values: V) {
        let (names, mut read) = (self.names, V::Read::default());
        while let Some(index) = self.next_field(&|index| values.is_stored(index)) {
            values.read(index, names, &mut read, self);
        }
        // An error after the last value is found here.
        if self.error.is_none() && values.complete(names, &mut read, self) {
            values.store(read);
            self.is_complete = true;
        }
    }
}

impl<R: Source> ValueReader for ReadMode<R> {
    fn read_value<T, F: StorageForm<T>>(&mut self, name: &'static str) -> Option<T> {
        let value = self.source.value::<T, F>(name);
        self.checked(value)
    }

    fn missing_value<T, F: StorageForm<T>>(&mut self, name: &'static str) -> Option<T> {
        let value = F::deserialize(MissingField(name, PhantomData));
        self.checked(value)
    }

    fn set_duplicate(&mut self, name: &'static str) {
        self.error = Some(R::Error::duplicate_field(name));
    }
}

impl<R: Source> Mode for ReadMode<R> {
    const IS_QUERY: bool = true;
    const DROPS: bool = false;
    const INSPECTS: bool = false;
}

/// Reads a machine into an empty one.
///
/// # Errors
///
/// Returns the errors of the deserializer. A state that the machine does not have, and a missing or
/// duplicate value, are errors too.
///
/// # Safety
///
/// No slot of `empty` has a value.
pub unsafe fn deserialize<'de, M: Snapshot, D: Deserializer<'de>>(
    empty: M,
    deserializer: D,
) -> Result<M, D::Error> {
    // A machine that is incomplete has no value to drop.
    let empty = ManuallyDrop::new(empty);
    deserializer.deserialize_enum(M::NAME, M::NAMES.all_states(), StateVisitor { empty })
}

/// Reads the name of the state, then its values.
struct StateVisitor<M> {
    empty: ManuallyDrop<M>,
}

impl<'de, M: Snapshot> Visitor<'de> for StateVisitor<M> {
    type Value = M;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a state of `{}`", M::NAME)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<M, A::Error> {
        let (state, values) = data.variant_seed(StateName::<M>(PhantomData))?;
        let Self { empty } = self;
        values.struct_variant(M::NAMES.all_values(state), ValuesVisitor { empty, state })
    }
}

/// The index of a state, by its name.
struct StateName<M>(PhantomData<fn() -> M>);

impl<'de, M: Snapshot> DeserializeSeed<'de> for StateName<M> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<M: Snapshot> Visitor<'_> for StateName<M> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a state of `{}`", M::NAME)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        // The error lists the names of this build.
        let found = M::NAMES.state(name);
        found.ok_or_else(|| E::unknown_variant(name, M::NAMES.states))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        match core::str::from_utf8(name) {
            Ok(name) => self.visit_str(name),
            Err(_) => Err(E::invalid_value(Unexpected::Bytes(name), &self)),
        }
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<usize, E> {
        let found = usize::try_from(index).ok();
        let found = found.filter(|state| *state < M::NAMES.states.len());
        found.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(index), &self))
    }
}

/// Reads the values of a state.
struct ValuesVisitor<M> {
    empty: ManuallyDrop<M>,
    state: usize,
}

impl<M: Snapshot> ValuesVisitor<M> {
    fn read<R: Source>(self, source: R) -> Result<M, R::Error> {
        let Self { mut empty, state } = self;
        let mut mode = ReadMode {
            source,
            names: M::NAMES.values[state],
            older: M::NAMES.older_values(state),
            is_complete: false,
            error: None,
        };
        let base = base_mut::<M>(&mut empty);
        // SAFETY: the machine is borrowed.
        let tag = unsafe { Tag::<M>::of(base) };
        tag.set(M::NAMES.tags[state]);
        // SAFETY: there is no other reference to the machine, and no slot has a value.
        unsafe { M::visit_values(base, &mut mode) };
        match mode.error {
            Some(error) => Err(error),
            None if mode.is_complete => Ok(ManuallyDrop::into_inner(empty)),
            None => unreachable!("a value is missing without an error"),
        }
    }
}

impl<'de, M: Snapshot> Visitor<'de> for ValuesVisitor<M> {
    type Value = M;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = M::NAMES.states[self.state];
        write!(f, "the values of `{}` in the state `{state}`", M::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, values: A) -> Result<M, A::Error> {
        self.read(NamedValues(values, PhantomData))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<M, A::Error> {
        self.read(OrderedValues::new(values))
    }
}
