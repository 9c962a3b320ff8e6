//! `cargo volt sizes` and `cargo volt expand`: the machines of a crate that uses volt.
//!
//! Both check the crate with cargo, in a target folder of their own, and read the reports of the
//! macro.

mod check_session;
mod bars;
mod size_text;
mod size_json;
mod size_html;
mod sizes;
mod unfold;
mod expand;

pub(crate) use self::expand::{ExpandArgs, expand};
pub(crate) use self::sizes::{SizesArgs, sizes};
