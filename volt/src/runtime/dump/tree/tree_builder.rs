//! `TreeBuilder`: stores the nodes of one inspection.

use std::fmt::{self, Debug, Write};

use volt_inspect::{Node, Place, Status, Visitor, Wait};

use super::forest::{Detail, Forest, LocalName, NodeEntry};
use crate::task::{TaskId, TaskInfo, TaskRef, TreeRange};
use crate::util::catch_as_none;

/// The number of bytes at which the text of a value is cut.
const MAX_VALUE: usize = 160;

/// The number of bytes of all values of a task.
const MAX_VALUES: usize = 4_096;

impl Forest {
    /// Inspects a task, and stores its tree.
    pub(in crate::runtime::dump) fn inspect(
        &mut self,
        task: &TaskRef,
        values: ValueLimit,
    ) -> TaskInfo {
        let added = self.add(values, |visitor| task.inspect_tree(visitor));
        match added {
            Some((info, tree)) if self.position.is_complete() => TaskInfo {
                tree,
                position: self.positions.share(self.position.states()),
                ..info
            },
            Some((_, tree)) => TaskInfo {
                tree,
                ..task.inspect()
            },
            None => task.inspect(),
        }
    }

    /// Stores the tree that `walk` passes to the visitor. Returns `None` if the walk panics.
    pub(in crate::runtime::dump) fn add<R>(
        &mut self,
        values: ValueLimit,
        walk: impl FnOnce(&mut dyn Visitor) -> R,
    ) -> Option<(R, TreeRange)> {
        let (nodes, details) = (self.nodes.len(), self.details.len());
        self.position.clear();
        let mut builder = TreeBuilder {
            forest: self,
            open: Vec::new(),
            values,
        };
        let walked = catch_as_none(|| walk(&mut builder));
        // The type of an opaque root is in the information about the task.
        let is_opaque = self.nodes.get(nodes).is_none_or(|root| !root.is_inspected);
        if walked.is_none() || is_opaque {
            self.nodes.truncate(nodes);
            self.details.truncate(details);
        }
        self.details[details..].sort_by_key(|(node, _)| *node);
        let tree = TreeRange {
            nodes: nodes as u32..self.nodes.len() as u32,
            details: details as u32,
        };
        walked.map(|result| (result, tree))
    }
}

/// The values that an inspection stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::runtime::dump) enum ValueLimit {
    None,
    /// At most this many bytes.
    Bytes(usize),
}

impl ValueLimit {
    /// The limit of a dump with values.
    pub(in crate::runtime::dump) const DEFAULT: Self = Self::Bytes(MAX_VALUES);
}

/// Stores the nodes of one tree.
struct TreeBuilder<'a> {
    forest: &'a mut Forest,
    /// The numbers of the nodes that are not complete, the outermost first.
    open: Vec<u32>,
    values: ValueLimit,
}

impl TreeBuilder<'_> {
    fn add(&mut self, detail: Detail) {
        if let Some(node) = self.open.last() {
            self.forest.details.push((*node, detail));
        }
    }
}

impl Visitor for TreeBuilder<'_> {
    fn enter(&mut self, node: &Node, index: Option<usize>, status: Status) {
        let place = self.forest.places.add_node(node);
        let depth = self.open.len();
        let is_awaited = index.is_none() && node.local.is_empty();
        self.forest.position.enter(node, depth, is_awaited);
        self.open.push(self.forest.nodes.len() as u32);
        self.forest.nodes.push(NodeEntry {
            place,
            index: index.map_or(u32::MAX, |index| index as u32),
            depth: depth as u16,
            status,
            is_inspected: node.is_inspected,
        });
        if !node.local.is_empty() {
            self.add(Detail::Local(Box::new(LocalName(node.local))));
        }
    }

    fn value(&mut self, name: &'static str, value: &dyn Debug) {
        let ValueLimit::Bytes(left) = self.values else {
            return;
        };
        let text = value_text(value, left.min(MAX_VALUE));
        self.values = ValueLimit::Bytes(left - text.len().min(left));
        self.add(Detail::Value(Box::new((name, text.into()))));
    }

    fn local(&mut self, name: &'static str, type_name: &'static str) {
        if self.forest.guard_types.contains(type_name) {
            self.add(Detail::Guard(Box::new((name, type_name))));
        }
    }

    fn wait(&mut self, wait: &Wait<'_>) {
        self.add(match wait {
            Wait::Timer { left } => Detail::Timer(*left),
            Wait::Task { id } => Detail::end_of_task(TaskId::from_bits(*id)),
            Wait::Lock {
                address,
                holder: Some(id),
                place,
                ..
            } => lock(TaskId::from_bits(*id), *address, *place),
            Wait::Job { id: Some(id) } => Detail::Job(TaskId::from_bits(*id)),
            other => Detail::text(value_text(&format_args!("{other}"), MAX_VALUE)),
        });
    }

    fn omitted(&mut self, nodes: usize) {
        let text = format!("{nodes} futures are not shown");
        self.forest.position.omit();
        self.add(Detail::text(text));
    }

    fn leave(&mut self) {
        self.open.pop();
    }

    fn hides_values_of(&self, type_name: &str) -> bool {
        let mut secrets = self.forest.secret_types.iter();
        secrets.any(|secret| names_type(type_name, secret))
    }

    fn wants_values(&self) -> bool {
        self.values != ValueLimit::None
    }
}

/// Returns the wait for a lock that a task holds.
fn lock(holder: TaskId, address: usize, place: Option<Place>) -> Detail {
    let mut text = format!("the lock at {address:#x}, held by task {holder}");
    if let Some(place) = place {
        _ = write!(text, ", acquired at {place}");
    }
    Detail::Lock(Box::new((holder, text.into())))
}

/// Returns `true` if the name of a type contains the name of another type, as that of `Vec<T>`
/// contains that of `T`.
fn names_type(name: &str, part: &str) -> bool {
    let is_of_path = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
    name.match_indices(part).any(|(at, _)| {
        let (before, after) = (&name[..at], &name[at + part.len()..]);
        !before.ends_with(is_of_path) && !after.starts_with(is_of_path)
    })
}

/// Returns the `Debug` text of a value, cut at a number of bytes. `Debug` is code of the user, and
/// may panic.
fn value_text(value: &dyn Debug, limit: usize) -> String {
    let mut text = LimitedText {
        text: String::new(),
        limit,
    };
    // An error reports that the text was cut.
    match catch_as_none(|| write!(text, "{value:?}")) {
        Some(_) => text.text,
        None => "<panicked>".to_owned(),
    }
}

/// A text that stops at a number of bytes.
struct LimitedText {
    text: String,
    limit: usize,
}

impl Write for LimitedText {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let left = self.limit.saturating_sub(self.text.len());
        if part.len() <= left {
            self.text.push_str(part);
            return Ok(());
        }
        self.text.push_str(&part[..part.floor_char_boundary(left)]);
        self.text.push_str("..");
        self.limit = 0;
        Err(fmt::Error)
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::{ValueLimit, names_type};
    use crate::runtime::dump::sample::{dump, task};
    use crate::runtime::dump::tree::{Forest, TreeNode};
    use crate::task::TaskId;
    use std::fmt;
    use std::time::Duration;
    use volt_inspect::{Inspector, Node, Status, Wait};

    fn tree(values: ValueLimit, walk: impl FnOnce(&mut Inspector<'_>)) -> Vec<TreeNode> {
        let mut forest = Forest::default();
        let mut info = task(1, 10);
        let added = forest.add(values, |visitor| walk(&mut Inspector::new(visitor)));
        info.tree = added.map(|((), tree)| tree).unwrap_or_default();
        forest.tree(&info)
    }

    struct Panics;

    impl fmt::Debug for Panics {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            panic!("a value panics")
        }
    }

    #[test]
    fn details_after_a_child_belong_to_their_node() {
        let left = Duration::from_nanos(1_500_000_789);
        let nodes = tree(ValueLimit::DEFAULT, |inspector| {
            inspector.node(&Node::new("Outer"), |inspector| {
                inspector.as_child(0, Status::Woken, |inspector| {
                    inspector.node(&Node::new("Inner"), |inspector| inspector.value("n", &1));
                });
                inspector.ended_child(1, Status::Done);
                inspector.waits(Wait::Timer { left });
            });
        });
        let outline: Vec<_> = nodes
            .iter()
            .map(|node| (node.depth, node.index, node.place.name, node.status))
            .collect();
        let expected = [
            (0, None, "Outer", Status::Waiting),
            (1, Some(0), "Inner", Status::Woken),
            (1, Some(1), "", Status::Done),
        ];
        assert_eq!(outline, expected);
        assert_eq!(nodes[0].waits_for.as_deref(), Some("a timer in 1.5s"));
        assert_eq!(nodes[1].values, [("n", "1".to_owned())]);
    }

    #[test]
    fn awaited_task_has_the_id_of_the_dump() {
        let id: TaskId = "7.2".parse().unwrap();
        let nodes = tree(ValueLimit::None, |inspector| {
            inspector.node(&Node::new("JoinHandle"), |inspector| {
                inspector.waits(Wait::Task { id: id.to_bits() });
            });
        });
        assert_eq!(nodes[0].waits_for.as_deref(), Some("task 7.2"));
    }

    #[test]
    fn values_are_stored_on_request_only() {
        let nodes = tree(ValueLimit::None, |inspector| {
            inspector.node(&Node::new("One"), |inspector| inspector.value("n", &Panics));
        });
        assert_eq!(nodes[0].values, []);
    }

    #[test]
    fn long_and_panicking_values_are_cut() {
        let nodes = tree(ValueLimit::Bytes(170), |inspector| {
            inspector.node(&Node::new("One"), |inspector| {
                inspector.value("panics", &Panics);
                inspector.value("long", &"é".repeat(200));
                inspector.value("more", &"text");
            });
        });
        let texts: Vec<_> = nodes[0].values.iter().map(|(_, text)| &**text).collect();
        assert_eq!(texts[0], "<panicked>");
        assert_eq!((texts[1].len(), texts[1].ends_with("é..")), (161, true));
        assert_eq!(texts[2], "..");
    }

    #[test]
    fn values_of_secret_types_are_hidden() {
        let mut forest = Forest::hiding(&[std::any::type_name::<Duration>()]);
        let mut info = task(1, 10);
        let added = forest.add(ValueLimit::DEFAULT, |visitor| {
            Inspector::new(visitor).node(&Node::new("One"), |inspector| {
                inspector.value("direct", &Duration::ZERO);
                inspector.value("part", &Some(vec![&Duration::ZERO]));
                inspector.value("other", &7);
            });
        });
        info.tree = added.unwrap().1;
        let values = forest.tree(&info).remove(0).values;
        let texts = ["<secret>", "<secret>", "7"];
        assert_eq!(
            values.iter().map(|(_, text)| &**text).collect::<Vec<_>>(),
            texts
        );
    }

    #[test]
    fn names_of_longer_paths_are_other_types() {
        assert!(names_type(
            "alloc::vec::Vec<app::Password>",
            "app::Password"
        ));
        assert!(names_type("&app::Password", "app::Password"));
        for other in [
            "app::PasswordHash",
            "my::app::Password",
            "app::Password::Inner",
            "app",
        ] {
            assert!(!names_type(other, "app::Password"), "{other}");
        }
    }

    #[test]
    fn panicking_inspection_leaves_no_nodes() {
        let nodes = tree(ValueLimit::None, |inspector| {
            inspector.node(&Node::new("Outer"), |_| panic!("an inspection panics"));
        });
        assert_eq!(nodes, []);
    }

    #[test]
    fn place_is_stored_once_for_all_tasks() {
        let mut forest = Forest::default();
        let mut add = |slot| {
            let walk = |inspector: &mut Inspector<'_>| inspector.node(&Node::new("One"), |_| ());
            let added = forest.add(ValueLimit::None, |visitor| {
                walk(&mut Inspector::new(visitor));
            });
            let mut info = task(slot, 10);
            info.tree = added.unwrap().1;
            info
        };
        let tasks = vec![add(1), add(2)];
        assert_eq!(forest.places.places().len(), 1);
        let mut dump = dump(tasks);
        dump.forest = forest;
        dump.retain(|task| task.id.to_string() == "2.1");
        assert_eq!(dump.tree(&dump.tasks[0])[0].place.name, "One");
    }
}
