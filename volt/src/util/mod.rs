//! Small pure types that several folders use.

mod rng;

pub(crate) use self::rng::Rng;
