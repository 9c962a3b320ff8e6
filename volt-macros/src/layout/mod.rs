//! The places of live locals: a field, or the stack of the poll.
//!
//! A local that is live across an await has a field, and so has each awaited future and each
//! argument. A local that is live only between blocks is on the stack of the poll. Fields that are
//! live in different blocks may share bytes. Constants decide their offsets, because only the
//! compiler knows their sizes.
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
