//! Small pure pieces that belong to no floor above.

mod rng;

pub(crate) use self::rng::Rng;
