//! From a function to its graph.

use super::graph::{Doubts, EXIT, Event, Flow, START};
use super::pen::Pen;
use crate::state_machine::body::Body;
use crate::state_machine::parse::Function;

/// Draws the graph of `body`.
pub(crate) fn draw(function: &Function, body: &Body) -> Flow {
    let mut draw = Pen {
        body,
        flow: Flow {
            events: vec![Event::Nothing, Event::Exit],
            next: vec![Vec::new(), Vec::new()],
            in_scope: Vec::new(),
            constructs: Vec::new(),
            apart: Vec::new(),
            relied: Vec::new(),
            doubts: Doubts::default(),
            suspects: Vec::new(),
        },
        here: Some(START),
        names: Vec::new(),
        scope: Vec::new(),
        targets: Vec::new(),
    };
    let arguments = 0..function.stored().count();
    for local in arguments.clone() {
        draw.declare(local, true);
    }
    draw.block(&body.root);
    draw.leave(0);
    draw.edge_to(EXIT);
    draw.flow
}
