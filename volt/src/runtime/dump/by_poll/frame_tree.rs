//! `FrameTrees`: adds the functions of inspection polls to the trees of a dump.
//!
//! The tree of a task ends at futures that do not implement `Inspect`. Each trace belongs to one of
//! these ends. The machines on the way to it are found in the trace by their files and lines, and
//! the functions after the last machine are added below the end.
//!
//! A function of a machine has the line of its await, and that is the line of the state. The code
//! of a macro can have an earlier line. So an end belongs to a trace if no function of a machine is
//! after the line of the state, and the nearest one is taken. Without debug information a function
//! has no line, and its name contains the name of the machine.

use volt_inspect::Status;

use super::frame_origin::FrameOrigin;
use super::lookup::{learn_root, relative_path};
use super::stack_frame::{StackFrame, frames};
use crate::runtime::dump::dump::Dump;
use crate::runtime::dump::place::Place;
use crate::runtime::dump::tree::{MergedNode, TreeNode};
use crate::task::{CloneTrace, TaskId};

/// The traces of a task that was polled.
#[derive(Debug)]
pub(super) struct TaskTraces {
    pub(super) traces: Vec<CloneTrace>,
    /// The number of clones of the waker in the poll.
    pub(super) clones: usize,
    /// The number of polls of the task.
    pub(super) polls: u32,
}

/// The trees of a dump, to which functions are added.
pub(super) struct FrameTrees<'a> {
    dump: &'a mut Dump,
}

/// A function, and those that it has called.
#[derive(Debug)]
struct CallBranch {
    frame: StackFrame,
    inner: Vec<Self>,
}

/// An end of the tree of a task.
#[derive(Debug)]
struct TreeEnd {
    /// The number of the node in its tree.
    node: usize,
    /// The type of the future is `dyn Future`.
    is_dyn: bool,
    /// The name of the type of the future.
    type_name: &'static str,
    /// The number of traces that belong to the end.
    traces: usize,
    /// The places of the machines from the outermost one to the end.
    machines: Vec<Place>,
    branches: Vec<CallBranch>,
}

impl<'a> FrameTrees<'a> {
    pub(super) fn new(dump: &'a mut Dump) -> Self {
        Self { dump }
    }

    /// Returns the number of tasks.
    pub(super) fn len(&self) -> usize {
        self.dump.tasks.len()
    }

    /// Returns the id of a task, and the number of its polls.
    pub(super) fn task(&self, index: usize) -> (TaskId, u32) {
        let task = &self.dump.tasks[index];
        (task.id, task.polls)
    }

    /// Adds the functions of the traces to the tree of a task.
    pub(super) fn add(&mut self, index: usize, traces: &TaskTraces) {
        let paths = traces.traces.iter().map(|trace| frames(trace.addresses()));
        let mut paths: Vec<_> = paths.filter(|path| !path.is_empty()).collect();
        let task = &mut self.dump.tasks[index];
        for path in &mut paths {
            for frame in &*path {
                learn_root(frame.file, task.location.file());
            }
            path[0].name_root(task.type_name);
        }
        let tree = self.dump.forest.tree(task);
        let nodes = if tree.is_empty() {
            merged_root(task.type_name, &paths)
        } else {
            let mut ends = ends(&tree);
            for path in &paths {
                add_to_nearest(&mut ends, path);
            }
            merged(&tree, &ends)
        };
        self.dump.forest.replace(task, &nodes);
    }
}

/// Returns the ends of a tree, and the machines on the way to each.
fn ends(tree: &[TreeNode]) -> Vec<TreeEnd> {
    let mut ends = Vec::new();
    let mut open: Vec<Place> = Vec::new();
    for (number, node) in tree.iter().enumerate() {
        open.truncate(node.depth);
        open.push(node.place);
        let is_end = tree
            .get(number + 1)
            .is_none_or(|next| next.depth <= node.depth);
        if is_end && matches!(node.status, Status::Waiting | Status::Woken) {
            let machines = open.iter().filter(|place| !place.file.is_empty());
            ends.push(TreeEnd {
                node: number,
                type_name: node.place.name,
                traces: 0,
                is_dyn: !node.is_inspected && node.place.name.contains("dyn "),
                machines: machines.copied().collect(),
                branches: Vec::new(),
            });
        }
    }
    ends
}

/// Adds the functions of a path below the end to which it belongs.
fn add_to_nearest(ends: &mut [TreeEnd], path: &[StackFrame]) {
    let fits = ends.iter().enumerate();
    let fits = fits.filter_map(|(index, end)| Some((end.fit(path)?, index)));
    let Some((fit, index)) = fits.min_by_key(|(fit, _)| *fit) else {
        return;
    };
    let end = &mut ends[index];
    end.traces += 1;
    let below = &path[fit.frames..];
    let is_of_program = |frame: &StackFrame| frame.origin == FrameOrigin::Program;
    // The functions before the first one of the program belong to the end itself.
    let begin = match below.iter().position(is_of_program) {
        Some(begin) => begin,
        None if end.is_dyn => 0,
        None => return,
    };
    add_path(&mut end.branches, &below[begin..]);
}

/// The machines of an end that are in a path. The least one is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// The sum of the lines between the functions and the states of the machines.
    distance: u32,
    /// The path does not name the type of the end.
    is_unnamed: bool,
    /// The number of traces that belong to the end. Traces are in the order of the polls, and so
    /// are the ends, as a rule.
    traces: usize,
    /// The number of functions up to the last machine.
    frames: usize,
}

impl TreeEnd {
    /// Finds the machines in a path. Returns `None` if one is missing.
    fn fit(&self, path: &[StackFrame]) -> Option<Fit> {
        let mut fit = Fit {
            distance: 0,
            is_unnamed: !path.iter().any(|frame| self.is_named(frame)),
            traces: self.traces,
            frames: 0,
        };
        for machine in &self.machines {
            // An `async` block has no type with a name, and may have the line of the machine around
            // it, whose function then is the only one.
            let is_block = machine.name.ends_with("{async block}");
            let is_named = |frame: &StackFrame| frame.line == 0 && frame.names(machine.name);
            let is_of_machine = |frame: &StackFrame| {
                let is_in_file = is_same_file(frame.file, machine.file);
                let distance = machine.line.checked_sub(frame.line);
                let is_near = distance.is_some_and(|lines| !is_block || lines == 0);
                is_named(frame) || is_in_file && is_near
            };
            let next = path[fit.frames..].iter().position(is_of_machine);
            if is_block && next.is_none() {
                continue;
            }
            let next = next?;
            let frame = &path[fit.frames + next];
            fit.frames += next + 1;
            if is_named(frame) {
                // A machine without lines has several functions.
                let own = path[fit.frames..]
                    .iter()
                    .take_while(|frame| is_named(frame));
                fit.frames += own.count();
            } else {
                fit.distance += machine.line - frame.line;
            }
        }
        Some(fit)
    }

    /// Returns `true` if the name of a function is the one of the type, but for its closure.
    fn is_named(&self, frame: &StackFrame) -> bool {
        let rest = self.type_name.strip_prefix(frame.name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::{"))
    }
}

/// Returns `true` if one path is the end of the other one. The path of a machine is relative to the
/// folder in which its crate was built.
fn is_same_file(left: &str, right: &str) -> bool {
    let is_end = |path: &str, end: &str| {
        let before = path.strip_suffix(end);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    !left.is_empty() && !right.is_empty() && (is_end(left, right) || is_end(right, left))
}

fn add_path(branches: &mut Vec<CallBranch>, path: &[StackFrame]) {
    let Some((frame, inner)) = path.split_first() else {
        return;
    };
    let known = branches.iter().position(|branch| branch.frame == *frame);
    let index = known.unwrap_or_else(|| {
        let (frame, inner) = (*frame, Vec::new());
        branches.push(CallBranch { frame, inner });
        branches.len() - 1
    });
    add_path(&mut branches[index].inner, inner);
}

/// Returns the tree of a task of which only the type is known.
fn merged_root(type_name: &'static str, paths: &[Vec<StackFrame>]) -> Vec<MergedNode> {
    let mut branches = Vec::new();
    for path in paths {
        add_path(&mut branches, path);
    }
    let mut nodes = Vec::new();
    let root = Place {
        name: type_name,
        ..Place::UNKNOWN
    };
    let mut depth = 0;
    if branches.len() > 1 {
        nodes.push(MergedNode::new(depth, None, root));
        depth += 1;
    }
    push_branches(&mut nodes, &branches, depth);
    nodes
}

/// Returns the nodes of a tree, with the functions below its ends.
fn merged(tree: &[TreeNode], ends: &[TreeEnd]) -> Vec<MergedNode> {
    let mut nodes = Vec::new();
    for (number, node) in tree.iter().enumerate() {
        nodes.push(MergedNode::Kept(number as u32));
        if let Some(end) = ends.iter().find(|end| end.node == number) {
            push_branches(&mut nodes, &end.branches, node.depth + 1);
        }
    }
    nodes
}

fn push_branches(nodes: &mut Vec<MergedNode>, branches: &[CallBranch], depth: usize) {
    for (index, branch) in branches.iter().enumerate() {
        let index = (branches.len() > 1).then_some(index);
        nodes.push(MergedNode::new(depth, index, branch.frame.place()));
        push_branches(nodes, &branch.inner, depth + 1);
    }
}

impl StackFrame {
    /// Returns the place of the function. That of a dependency has no file, so that the place of a
    /// group of tasks is in the program.
    fn place(&self) -> Place {
        let (name, file) = (self.name, relative_path(self.file));
        match self.origin {
            FrameOrigin::Dependency => Place {
                name,
                ..Place::UNKNOWN
            },
            _ => Place {
                name,
                state: "",
                file,
                line: self.line,
                column: self.column,
            },
        }
    }
}
