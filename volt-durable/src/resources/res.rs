//! `Res`: a value of the process in a machine.

use std::any::type_name;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use super::lookup::{Found, find};

/// A value of the process that a worker provides to its machines, such as a pool or a client.
///
/// A snapshot contains `null` instead of the value. [`Worker::with`](crate::Worker::with) sets the
/// value of each type, and the worker provides it whenever it reads a machine. So a machine is
/// started with [`of_worker`](Self::of_worker), a handle without a value.
///
/// # Examples
///
/// ```
/// use volt_durable::store::MemoryStore;
/// use volt_durable::{Res, Worker};
///
/// struct Prices {
///     cents: u64,
/// }
///
/// impl Prices {
///     async fn charge(&self, items: u64) -> u64 {
///         items * self.cents
///     }
/// }
///
/// #[volt::state_machine(derive(Serialize, Deserialize))]
/// async fn buy(prices: Res<Prices>, items: u64) -> u64 {
///     #[step]
///     #[state(Charging)]
///     let paid = prices.charge(items).await;
///     paid
/// }
///
/// # futures_lite::future::block_on(async {
/// let worker = Worker::new(MemoryStore::new()).with(Prices { cents: 5 }).runs::<Buy>();
/// let client = worker.client();
/// let outcome = worker.run_until(async {
///     client.start("order-7", buy(Res::of_worker(), 3)).await?;
///     client.outcome::<Buy>("order-7").await
/// });
/// assert_eq!(outcome.await?, 15);
/// # Ok::<_, volt_durable::Error>(())
/// # }).unwrap();
/// ```
pub struct Res<T: ?Sized>(Option<Arc<T>>);

impl<T: ?Sized> Res<T> {
    /// Creates a handle without a value, for the start of a machine.
    #[must_use]
    pub const fn of_worker() -> Self {
        Self(None)
    }
}

/// A handle with a value, for a machine that runs without a worker.
impl<T: ?Sized> From<Arc<T>> for Res<T> {
    fn from(value: Arc<T>) -> Self {
        Self(Some(value))
    }
}

/// # Panics
///
/// Panics if the handle has no value, because no worker has read the machine.
impl<T: ?Sized> Deref for Res<T> {
    type Target = T;

    #[track_caller]
    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => panic!(
                "`Res<{}>` has no value: a worker provides it when it reads a machine with this \
                 argument, so a machine cannot create it in its body",
                type_name::<T>()
            ),
        }
    }
}

impl<T: ?Sized> Clone for Res<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> fmt::Debug for Res<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Res<{}>", type_name::<T>())
    }
}

/// The value of the worker that reads the machine, for `#[stored(default)]`.
impl<T: ?Sized + Send + Sync + 'static> Default for Res<T> {
    fn default() -> Self {
        match find() {
            Found::Value(value) => Self(Some(value)),
            Found::NoWorker | Found::Missing => Self::of_worker(),
        }
    }
}

impl<T: ?Sized> Serialize for Res<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de, T: ?Sized + Send + Sync + 'static> Deserialize<'de> for Res<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = find();
        <()>::deserialize(deserializer)?;
        match found {
            Found::Value(value) => Ok(Self(Some(value))),
            Found::NoWorker => Ok(Self::of_worker()),
            Found::Missing => Err(D::Error::custom(format_args!(
                "the worker has no resource `{}`: add it by `Worker::with`",
                type_name::<T>()
            ))),
        }
    }
}
