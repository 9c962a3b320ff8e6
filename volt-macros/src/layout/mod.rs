//! Where what lives is kept: in a field, or on the stack of the poll.
//!
//! A local that lives where the machine waits is a field, and so is each awaited future and each
//! argument. One that only goes from block to block stands on the stack of the poll. Which fields may
//! share bytes follows from the blocks in which they live; where they lie is decided by constants,
//! because the compiler alone knows their sizes.
//!
//! ```text
//!             start  1  2  B1          start, 1 and 2: where the machine waits
//! stream      x      x  x  x           field 0
//! buf                x  x  x           field 1
//! total              x  x  x           field 2
//! read_buf           x                 field 3     3 and 4 share bytes
//! count                 x              field 4
//! ```

mod fields;
mod field_types;

pub(crate) use self::field_types::FieldTypes;
pub(crate) use self::fields::{Field, FieldContent, Layout, Place};
