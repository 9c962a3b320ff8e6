//! The mode that reads a machine.

use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

use super::super::modes::{
    ConditionalValue, Mode, SnapshotMode, StorageForm, StoredValues, ValueReader,
};
use super::super::run::Tag;
use super::snapshot_names::SnapshotNames;
use super::sources::{Fields, MissingField, NamedValues, OlderFields, OrderedValues, Source};
use super::state_values::StateValues;
use super::write_machine::Snapshot;
use crate::machine::expansion::native::Table;

/// The mode that reads the values of a state.
struct ReadMode<R: Source> {
    source: R,
    names: &'static SnapshotNames,
    state: usize,
    older: OlderFields,
    is_complete: bool,
    error: Option<R::Error>,
}

impl<R: Source> ReadMode<R> {
    /// Returns the index of the field whose value is next in the input. Returns `None` after the
    /// last one, and after an error.
    fn next_field(
        &mut self,
        names: &'static [&'static str],
        is_stored: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        if self.error.is_some() {
            return None;
        }
        let older = self.older;
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

    fn visit_values<V: StoredValues>(&mut self, _: u8, values: V, conditions: &[ConditionalValue]) {
        let (of_state, mut read) = (
            StateValues::new(self.names, self.state, conditions),
            V::Read::default(),
        );
        let is_stored = |value| of_state.has_value(value, values);
        while let Some(value) = self.next_field(of_state.names, &is_stored) {
            let name = of_state.names[value];
            values.read(of_state.index(value), name, &mut read, self);
        }
        // An error after the last value is found here.
        let is_complete = self.error.is_none()
            && of_state.stored(values).all(|value| {
                let name = of_state.names[value];
                values.complete(of_state.index(value), name, &mut read, self)
            });
        if is_complete {
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
        let value = F::deserialize(MissingField::<T, _>(name, PhantomData));
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

/// Reads a machine.
///
/// # Errors
///
/// Returns the errors of the deserializer. A state that the machine does not have, and a missing or
/// duplicate value, are errors too.
pub fn deserialize<'de, M: Snapshot, D: Deserializer<'de>>(deserializer: D) -> Result<M, D::Error> {
    let visitor = StateVisitor(PhantomData);
    deserializer.deserialize_enum(M::NAME, M::NAMES.all_states(), visitor)
}

/// Reads the name of the state, then its values.
struct StateVisitor<M>(PhantomData<fn() -> M>);

impl<'de, M: Snapshot> Visitor<'de> for StateVisitor<M> {
    type Value = M;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a state of `{}`", M::NAME)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<M, A::Error> {
        let (state, values) = data.variant_seed(StateName::<M>(PhantomData))?;
        let of = PhantomData;
        values.struct_variant(M::NAMES.all_values(state), ValuesVisitor { of, state })
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
    of: PhantomData<fn() -> M>,
    state: usize,
}

impl<M: Snapshot> ValuesVisitor<M> {
    fn read<R: Source>(self, source: R) -> Result<M, R::Error> {
        let state = self.state;
        let mut mode = ReadMode {
            source,
            names: const { &M::NAMES },
            state,
            older: M::NAMES.older_values(state),
            is_complete: false,
            error: None,
        };
        // A machine that is incomplete has no value to drop.
        let mut machine = MaybeUninit::<M>::uninit();
        let base = machine.as_mut_ptr().cast();
        // SAFETY: the bytes are live.
        let tag = unsafe { Tag::<M>::of(base) };
        tag.set(M::NAMES.tags[state]);
        // SAFETY: there is no other reference to the machine, and no slot has a value.
        unsafe { M::visit_values(base, &mut mode) };
        match mode.error {
            Some(error) => Err(error),
            // SAFETY: its tag and its values are set, and by the contract of the trait nothing
            // else is initialized.
            None if mode.is_complete => Ok(unsafe { machine.assume_init() }),
            None => unreachable!("a value is missing without an error"),
        }
    }
}

impl<'de, M: Snapshot> Visitor<'de> for ValuesVisitor<M> {
    type Value = M;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = M::NAMES.states[self.state];
        write!(f, "the values of `{}` in the state `{name}`", M::NAME)?;
        let mut states = <M as Table>::TABLES.states.iter();
        match states.find(|state| state.name == name) {
            Some(state) => write!(f, " at {}:{}", state.file, state.line),
            None => Ok(()),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, values: A) -> Result<M, A::Error> {
        self.read(NamedValues(values, PhantomData))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<M, A::Error> {
        self.read(OrderedValues::new(values))
    }
}
