//! `Worker`: runs the machines of a store.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use super::claim_loop::{Claims, Stop};
use super::machine_set::MachineSet;
use super::migration::Migrate;
use super::running::{Run, run};
use super::settings::Settings;
use super::step_limits::StepLimits;
use super::suspect_place::SuspectPlace;
use crate::client::Client;
use crate::error::Error;
use crate::machine::{Durable, known_type_of};
use crate::resources::{NeededType, needed_by};
use crate::store::{KnownType, Store};

/// Runs the machines of a store.
///
/// Any number of workers can have one store, in any number of processes. A worker claims only
/// machines whose type and state its build has, so old and new builds can run at the same time.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use volt_durable::store::MemoryStore;
/// use volt_durable::{Worker, signal};
///
/// async fn charge(cents: u64) -> String {
///     format!("receipt for {cents}")
/// }
///
/// #[volt::state_machine(derive(Serialize, Deserialize))]
/// async fn fulfil(cents: u64) -> String {
///     #[step]
///     #[state(Paying)]
///     let receipt = charge(cents).await;
///     #[state(WaitingForParcel)]
///     let parcel: Option<String> = signal("parcel").within(Duration::from_secs(14 * 86_400)).await;
///     match parcel {
///         Some(parcel) => format!("{receipt}, parcel {parcel}"),
///         None => format!("{receipt}, never sent"),
///     }
/// }
///
/// # futures_lite::future::block_on(async {
/// let worker = Worker::new(MemoryStore::new()).runs::<Fulfil>();
/// let orders = worker.client();
/// let outcome = worker.run_until(async {
///     orders.start("order-7", fulfil(5)).await?;
///     orders.send::<Fulfil>("order-7", "parcel", "event-1", &"P1").await?;
///     orders.outcome::<Fulfil>("order-7").await
/// });
/// assert_eq!(outcome.await?, "receipt for 5, parcel P1");
/// # Ok::<_, volt_durable::Error>(())
/// # }).unwrap();
/// ```
pub struct Worker<S> {
    store: S,
    types: HashMap<String, (KnownType, Run<S>, Option<Migrate>)>,
    /// The resources of machines, each with the name of a type of machines.
    needed: Vec<(NeededType, String)>,
    /// Panics of `Deserialize` implementations while their resources were searched.
    sample_errors: Vec<Error>,
    step_limits: BTreeMap<String, usize>,
    settings: Settings,
}

impl<S: Store + Clone> Worker<S> {
    /// Creates a worker that runs no type of machines yet.
    pub fn new(store: S) -> Self {
        Self {
            store,
            types: HashMap::new(),
            needed: Vec::new(),
            sample_errors: Vec::new(),
            step_limits: BTreeMap::new(),
            settings: Settings::default(),
        }
    }

    /// Adds a type of machines. Its name in the store is that of the type in this build.
    ///
    /// To find the resources of the type, this calls the `Deserialize` implementations of its
    /// stored values with samples. A panic of such an implementation is caught here, but the panic
    /// hook writes its message. [`run_until`](Self::run_until) then passes an
    /// [`Error::Sample`] to [`on_error`](Self::on_error).
    ///
    /// # Panics
    ///
    /// Panics if serde does not read the type as an enum of its states, or if the worker has a type
    /// with this name.
    #[must_use]
    pub fn runs<M: Durable>(self) -> Self {
        self.add::<M>(Vec::new(), None)
    }

    /// Adds a type of machines, and a function that changes the snapshots of older builds.
    ///
    /// The function is called for each snapshot that the type cannot read. It receives the name of
    /// the state and an object with the values, and returns those that the type reads. The awaited
    /// future is the value `await`. With `None`, the machine is parked and its row unchanged.
    ///
    /// `states` are the names of the states that the type no longer has. The worker also claims
    /// machines in these states, so no older build should run at the same time.
    ///
    /// # Examples
    ///
    /// ```
    /// # use volt_durable::store::MemoryStore;
    /// # use volt_durable::{Worker, signal};
    /// #[volt::state_machine(derive(Serialize, Deserialize))]
    /// async fn ship(order: u64) -> String {
    ///     // It was named `Waiting`, and the local was named `id`.
    ///     #[state(WaitingForTruck)]
    ///     let truck: String = signal("truck").await;
    ///     format!("{order}: {truck}")
    /// }
    ///
    /// let worker = Worker::new(MemoryStore::new());
    /// let worker = worker.runs_migrated::<Ship>(&["Waiting"], |state, mut values| {
    ///     let id = values.as_object_mut()?.remove("id")?;
    ///     values["order"] = id;
    ///     (state == "Waiting").then(|| ("WaitingForTruck".to_owned(), values))
    /// });
    /// # let _ = worker;
    /// ```
    ///
    /// # Panics
    ///
    /// Panics as [`runs`](Self::runs).
    #[must_use]
    pub fn runs_migrated<M: Durable>(
        self,
        states: &[&str],
        migrate: fn(&str, serde_json::Value) -> Option<(String, serde_json::Value)>,
    ) -> Self {
        let states = states.iter().map(ToString::to_string).collect();
        self.add::<M>(states, Some(migrate))
    }

    #[track_caller]
    fn add<M: Durable>(mut self, old_states: Vec<String>, migrate: Option<Migrate>) -> Self {
        let mut known = known_type_of::<M>().expect("a machine that serde reads as an enum");
        known.states.extend(old_states);
        let (needed, panic) = needed_by::<M>();
        let needed = needed.into_iter();
        self.needed
            .extend(needed.map(|needed| (needed, known.name.clone())));
        self.sample_errors.extend(panic.map(|text| Error::Sample {
            machine_type: known.name.clone(),
            text,
        }));
        match self.types.entry(known.name.clone()) {
            Entry::Vacant(entry) => entry.insert((known, run::<M, S>, migrate)),
            Entry::Occupied(entry) => panic!("two types have the name `{}`", entry.key()),
        };
        self
    }

    /// Adds a resource, which each [`Res<T>`](crate::Res) of a machine has as its value.
    ///
    /// # Panics
    ///
    /// Panics if the worker has a resource of this type.
    #[must_use]
    #[track_caller]
    pub fn with<T: Send + Sync + 'static>(self, resource: T) -> Self {
        self.with_shared(Arc::new(resource))
    }

    /// Adds a resource that the program also uses elsewhere, or a trait object: a worker with an
    /// `Arc<dyn Shop>` provides each `Res<dyn Shop>`.
    ///
    /// # Panics
    ///
    /// Panics as [`with`](Self::with).
    #[must_use]
    #[track_caller]
    pub fn with_shared<T: ?Sized + Send + Sync + 'static>(mut self, resource: Arc<T>) -> Self {
        Arc::make_mut(&mut self.settings.provided).add(resource);
        self
    }

    /// Sets the largest number of machines in memory. The default is 1,000.
    ///
    /// Machines that wait for a timer or a signal are not in memory.
    #[must_use]
    pub fn max_machines(mut self, machines: usize) -> Self {
        self.settings.max_machines = machines;
        self
    }

    /// Limits the machines that this worker runs at the same time in states with this name, of all
    /// types. The name is usually that of a step. By default there is no limit.
    ///
    /// A machine has a place from the begin of the step until the next snapshot is stored, also
    /// during a backoff. If no place is free, the snapshot before the step is stored, and the
    /// machine waits in the store, where it can be cancelled. It is not in memory, so it has no
    /// lease, and [`max_machines`](Self::max_machines) does not count it. Machines get places in
    /// the order in which they began to wait. Any worker of the store may continue them.
    ///
    /// The name is that of the state in a row. A machine that awaits another one is in the state of
    /// that await, and has one place for all steps of the other.
    ///
    /// # Examples
    ///
    /// ```
    /// use volt_durable::Worker;
    /// use volt_durable::store::MemoryStore;
    ///
    /// # async fn charge(cents: u64) {}
    /// #[volt::state_machine(derive(Serialize, Deserialize))]
    /// async fn pay(cents: u64) {
    ///     #[step]
    ///     #[state(Charging)]
    ///     charge(cents).await;
    /// }
    ///
    /// let worker = Worker::new(MemoryStore::new()).runs::<Pay>().limit_steps("Charging", 4);
    /// # let _ = worker;
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `places` is zero. [`run_until`](Self::run_until) panics if no type of the worker
    /// has a state with this name.
    #[must_use]
    #[track_caller]
    pub fn limit_steps(mut self, state: impl Into<String>, places: usize) -> Self {
        let state = state.into();
        assert!(
            places > 0,
            "with a limit of 0, no machine runs in the state `{state}`"
        );
        self.step_limits.insert(state, places);
        self
    }

    /// Sets the time after which another worker may claim a machine of a worker that has crashed.
    /// The default is 30 seconds.
    ///
    /// A quarter of it passes between two renewals.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Self {
        self.settings.lease = lease;
        self
    }

    /// Sets the longest time between two claims. The default is half a second.
    ///
    /// A claim also follows each change that the store reports, and the expiry of each timer.
    #[must_use]
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.settings.poll_interval = interval;
        self
    }

    /// Sets the number of attempts after which a machine is parked. The default is 8.
    ///
    /// An attempt fails if the machine panics, or if its worker ends without a report. Each save
    /// resets the number.
    ///
    /// A machine whose worker has ended without a report half as many times may have ended the
    /// process. The worker has at most one such machine in memory until its next save.
    #[must_use]
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.settings.max_attempts = attempts;
        self
    }

    /// Sets the time between the first failed attempt and the second. It doubles with each attempt,
    /// up to 64 times this value. The default is one second.
    #[must_use]
    pub fn retry_delay(mut self, delay: Duration) -> Self {
        self.settings.retry_delay = delay;
        self
    }

    /// Deletes machines this long after they have ended, with their outcomes. By default they stay.
    ///
    /// Each worker of the store deletes the machines of all types. The key of a deleted machine can
    /// be started again, so the time should be longer than that in which a start may be repeated.
    #[must_use]
    pub fn retention(mut self, age: Duration) -> Self {
        self.settings.retention = Some(age);
        self
    }

    /// Sets the function that receives errors of the store and of machines. The default writes them
    /// to standard error.
    #[must_use]
    pub fn on_error(mut self, hook: impl Fn(&Error) + Send + Sync + 'static) -> Self {
        self.settings.on_error = Arc::new(hook);
        self
    }

    /// Returns a client of the store.
    #[must_use]
    pub fn client(&self) -> Client<S> {
        Client::new(self.store.clone()).poll_interval(self.settings.poll_interval)
    }

    /// Runs machines until a future completes, and returns its output.
    ///
    /// At the end the machines in memory are dropped, and their claims released: other workers
    /// continue them at once from their last snapshots. A step that has not ended runs again.
    ///
    /// If the returned future is dropped instead, other workers continue the machines when their
    /// leases have expired.
    ///
    /// # Panics
    ///
    /// Panics at the call if a type of machines has a [`Res`](crate::Res) in one of its states, and
    /// the worker has no resource of that type. Panics too if no type has a state that
    /// [`limit_steps`](Self::limit_steps) has named.
    #[track_caller]
    pub fn run_until<F: Future>(self, stop: F) -> impl Future<Output = F::Output> {
        for (needed, machine) in &self.needed {
            let name = needed.name;
            assert!(
                self.settings.provided.has(needed.id),
                "the worker has no resource for `Res<{name}>` of machine `{machine}`\n\
                 help: add a value of `{name}` by `Worker::with`"
            );
        }
        for state in self.step_limits.keys() {
            let mut known = self.types.values().flat_map(|(known, ..)| &known.states);
            assert!(
                known.any(|known| known == state),
                "no machine of the worker has the state `{state}` of `limit_steps`\n\
                 help: name the step by `#[state({state})]`, or limit another state"
            );
        }
        self.run(stop)
    }

    async fn run<F: Future>(mut self, stop: F) -> F::Output {
        self.sample_errors
            .iter()
            .for_each(|error| self.settings.report(error));
        self.settings.step_limits = StepLimits::new(self.step_limits);
        let mut known = Vec::new();
        let mut runs = HashMap::new();
        for (name, (known_type, run, migrate)) in self.types {
            known.push(known_type);
            runs.insert(name, (run, migrate));
        }
        let claims = Claims {
            store: self.store,
            known,
            settings: self.settings,
            stop: Arc::new(Stop::default()),
            place: SuspectPlace::default(),
        };
        let mut machines = MachineSet::new(claims, runs);
        let mut stop = pin!(stop);
        let output = poll_fn(|cx| {
            let stopped = stop.as_mut().poll(cx);
            if stopped.is_pending() {
                machines.poll(cx);
            }
            stopped
        });
        let output: F::Output = output.await;
        machines.end().await;
        output
    }
}

impl<S> fmt::Debug for Worker<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("types", &self.types.keys())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
