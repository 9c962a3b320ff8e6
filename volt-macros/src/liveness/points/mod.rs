//! The points of a function: every use of a local, in the order of evaluation.
//!
//! `blocks` follows the blocks of the control flow graph. `exprs` and `branches` add the points
//! within leaf expressions. `match_effects` decides the use of a matched local in each arm.

mod point_graph;
mod match_effects;
mod blocks;
mod branches;
mod exprs;

pub(super) use self::blocks::draw;
pub(super) use self::point_graph::{Effect, Occurrence, Points};
