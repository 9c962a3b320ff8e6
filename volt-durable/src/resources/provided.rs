//! `Provided`: the resources of a worker.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The resources of a worker, by their types. Each is an `Arc<T>`.
#[derive(Clone, Default)]
pub(crate) struct Provided(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Provided {
    /// Adds a resource.
    ///
    /// # Panics
    ///
    /// Panics if there is one of this type.
    #[track_caller]
    pub(crate) fn add<T: ?Sized + Send + Sync + 'static>(&mut self, resource: Arc<T>) {
        let replaced = self.0.insert(TypeId::of::<T>(), Arc::new(resource));
        let name = type_name::<T>();
        assert!(replaced.is_none(), "two resources have the type `{name}`");
    }

    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.0.contains_key(&id)
    }

    pub(super) fn get<T: ?Sized + Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let resource = self.0.get(&TypeId::of::<T>())?;
        resource.downcast_ref::<Arc<T>>().cloned()
    }
}

impl fmt::Debug for Provided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} resources", self.0.len())
    }
}
