//! The items that expanded code names. They are no public interface, and change without notice.

mod branch;
mod waker_check;
mod const_text;
mod max_size;
mod size_report;
mod after_end;
mod debug;
mod fn_output;
mod unparsed;
mod dormant_check;
mod loop_turn;

pub mod native;
pub mod inferred;

pub use crate::__volt_unparsed as unparsed;
pub use branch::Branch;
pub use debug::debug;
pub use dormant_check::HeldUnpolled;
pub use fn_output::FnOutput;
pub use loop_turn::loop_turn;
pub use max_size::{assert_fits_inline, assert_max_size};
pub use size_report::{FieldOffsets, report_size};
pub use volt_inspect::machine::Introspect;
pub use volt_inspect::machine::Register;
pub use volt_inspect::{Inspect, Inspector, Registrable};
