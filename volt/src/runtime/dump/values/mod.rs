//! Dumps with values for the inspection server. `Debug` is code of the user, which may block or
//! panic, so a dump of one task with its values is taken on a thread of its own.

mod value_reader;

pub(in crate::runtime) use self::value_reader::ValueReader;
