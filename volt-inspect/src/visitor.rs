//! `Visitor`: the sink of an inspection.

use core::fmt::{self, Debug};

use crate::node::Node;
use crate::status::Status;
use crate::wait::Wait;

/// Receives the nodes of a tree in depth-first order.
///
/// A runtime implements it to store trees, and a test to compare them. The calls between
/// [`enter`](Self::enter) and the corresponding [`leave`](Self::leave) describe one node.
pub trait Visitor {
    /// Begins a node. `index` is the number of the child in its parent, if the parent has several.
    fn enter(&mut self, node: &Node, index: Option<usize>, status: Status);

    /// Receives a value that the current node stores. It is called only if
    /// [`wants_values`](Self::wants_values) returns `true`. The `Debug` implementation is code of
    /// the user, and may panic or block.
    fn value(&mut self, name: &'static str, value: &dyn Debug) {
        let _ = (name, value);
    }

    /// Receives a local variable that the current node stores, with the name of its type.
    fn local(&mut self, name: &'static str, type_name: &'static str) {
        let _ = (name, type_name);
    }

    /// Receives the event for which the current node waits.
    fn wait(&mut self, wait: &Wait<'_>) {
        let _ = wait;
    }

    /// Counts nodes beyond a limit of the inspector, without the futures in them.
    fn omitted(&mut self, nodes: usize) {
        let _ = nodes;
    }

    /// Ends the current node.
    fn leave(&mut self);

    /// Returns `true` if values of the type with this name are confidential. Such a value is
    /// reported as `<secret>`. The default is `false`.
    fn hides_values_of(&self, type_name: &str) -> bool {
        let _ = type_name;
        false
    }

    /// Returns `true` if [`value`](Self::value) uses its arguments. The default is `false`.
    fn wants_values(&self) -> bool {
        false
    }
}

/// A visitor that writes one indented line for each node.
///
/// It ignores errors of the writer.
#[derive(Debug)]
pub struct TreeWriter<W> {
    writer: W,
    depth: usize,
    wants_values: bool,
}

impl<W: fmt::Write> TreeWriter<W> {
    /// Returns a visitor that writes to `writer`, without values.
    pub const fn new(writer: W) -> Self {
        Self {
            writer,
            depth: 0,
            wants_values: false,
        }
    }

    /// Writes values too, with their `Debug` output.
    #[must_use]
    pub fn with_values(mut self) -> Self {
        self.wants_values = true;
        self
    }

    /// Returns the writer.
    pub fn into_inner(self) -> W {
        self.writer
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        let indent = self.depth * 2;
        let _ = writeln!(self.writer, "{:indent$}{text}", "");
    }
}

impl<W: fmt::Write> Visitor for TreeWriter<W> {
    fn enter(&mut self, node: &Node, index: Option<usize>, status: Status) {
        let status = match status {
            Status::Waiting => "",
            other => other.as_str(),
        };
        let comma = if status.is_empty() || node.kind.is_empty() {
            ""
        } else {
            ", "
        };
        match index {
            Some(index) => self.line(format_args!("[{index}] {node}{comma}{status}")),
            None if node.local.is_empty() => self.line(format_args!("{node}{comma}{status}")),
            None => self.line(format_args!("[{}] {node}{comma}{status}", node.local)),
        }
        self.depth += 1;
    }

    fn value(&mut self, name: &'static str, value: &dyn Debug) {
        self.line(format_args!("{name}: {value:?}"));
    }

    fn wait(&mut self, wait: &Wait<'_>) {
        self.line(format_args!("waits for {wait}"));
    }

    fn omitted(&mut self, nodes: usize) {
        self.line(format_args!("({nodes} omitted)"));
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn wants_values(&self) -> bool {
        self.wants_values
    }
}
