//! The functions under the attribute in the code of a module, by which machines get their names.

mod impl_blocks;
mod named_machines;

pub(crate) use self::impl_blocks::qualified_name;
pub(super) use self::impl_blocks::{ImplBlock, impl_blocks, methods};
pub(crate) use self::named_machines::may_share_machine_name;
pub(super) use self::named_machines::{NamedMachine, count_before, has_name, named_machines};
