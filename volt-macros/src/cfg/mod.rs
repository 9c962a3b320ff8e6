//! Control flow: basic blocks that end at an await, a branch or a join.
//!
//! ```text
//! B0  let o..                     goto B1
//! B1  (head of the loop)          suspend 1 -> B2
//! B2  let n = {o1}?; if n == 0 { break 'volt_jump_0 };   suspend 2 -> B3
//! B3  total += {o2};              goto B1
//! B4  (after the loop)            return Ok(total)
//! ```

mod graph;
mod build;
mod loops;

pub(crate) use self::build::build;
pub(crate) use self::graph::{Block, BlockId, Branch, Cfg, End, Step};
pub(crate) use self::loops::counted;
