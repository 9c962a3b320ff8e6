//! Inspections with a hook that stores registrations in a map.

mod map_hook;

use std::future::Pending;
use std::pin::{Pin, pin};

use map_hook::install_hook;
use volt_inspect::{
    Inspect, Inspector, MAX_DEPTH, MAX_NODES, Node, Place, Registrable, Status, TreeWriter,
    Visitor, Wait, registrable,
};

fn register<F: Registrable>() {
    install_hook();
    volt_inspect::register::<F>();
}

fn tree<F>(future: Pin<&mut F>) -> String {
    let mut tree = TreeWriter::new(String::new()).with_values();
    Inspector::new(&mut tree).future(future);
    tree.into_inner()
}

/// A future around another one, with a value.
struct Wrapper<'a, F> {
    name: &'a str,
    inner: Pin<Box<F>>,
}

impl<F> Inspect for Wrapper<'_, F> {
    fn inspect(mut self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let place = Place::new("wrapper.rs", 7, 9);
        let node = Node::new("Wrapper").label("await inner").place(place);
        inspector.node(&node, |inspector| {
            inspector.value("name", &self.name);
            inspector.future(self.inner.as_mut());
        });
    }
}

registrable!(Wrapper<'a, F>);

/// A future with as many children as its number, each around one of the next lower number.
struct Tower(usize);

impl Inspect for Tower {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Tower"), |inspector| {
            if self.0 > 0 {
                inspector.future(pin!(Tower(self.0 - 1)));
            }
        });
    }
}

registrable!(Tower);

/// A future with many children.
struct Wide(usize);

impl Inspect for Wide {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Wide"), |inspector| {
            for child in 0..self.0 {
                inspector.child(child, Status::Woken, pin!(std::future::pending::<()>()));
            }
        });
    }
}

registrable!(Wide);

/// Counts the nodes, and the omitted ones.
#[derive(Default)]
struct Counts {
    entered: usize,
    left: usize,
    omitted: usize,
}

impl Visitor for Counts {
    fn enter(&mut self, _: &Node, _: Option<usize>, _: Status) {
        self.entered += 1;
    }

    fn leave(&mut self) {
        self.left += 1;
    }

    fn omitted(&mut self, nodes: usize) {
        self.omitted += nodes;
    }
}

#[test]
fn registered_wrapper_shows_its_values_and_future() {
    register::<Wrapper<'_, Pending<u8>>>();
    let name = String::from("outer");
    let inner = Box::pin(std::future::pending::<u8>());
    let wrapper = pin!(Wrapper { name: &name, inner });
    let expected = "Wrapper at await inner, wrapper.rs:7:9\n  name: \"outer\"\n  \
                    core::future::pending::Pending<u8>\n";
    assert_eq!(tree(wrapper), expected);
}

#[cfg(feature = "alloc")]
#[test]
fn pinned_pointers_show_the_future() {
    register::<Tower>();
    let mut boxed = Box::pin(Tower(0));
    assert_eq!(tree(pin!(&mut boxed)), "Tower\n");
    assert_eq!(tree(pin!(boxed.as_mut())), "Tower\n");
    assert_eq!(tree(pin!(&mut boxed.as_mut())), "Tower\n");
    assert_eq!(tree(pin!(boxed)), "Tower\n");
}

#[test]
fn reference_shows_registered_unpin_future() {
    register::<Wide>();
    let name = std::any::type_name::<&mut Wide>();
    assert_eq!(tree(pin!(&mut Wide(0))), format!("{name}\n"));
    volt_inspect::register_unpin::<Wide>();
    assert_eq!(tree(pin!(&mut Wide(0))), "Wide\n");
}

#[test]
fn unregistered_type_is_a_node_with_its_name() {
    struct Unknown;
    let mut nodes = Vec::new();
    struct Opaque<'a>(&'a mut Vec<(String, bool)>);
    impl Visitor for Opaque<'_> {
        fn enter(&mut self, node: &Node, _: Option<usize>, _: Status) {
            self.0.push((node.kind.to_owned(), node.is_inspected));
        }

        fn leave(&mut self) {}
    }
    Inspector::new(&mut Opaque(&mut nodes)).future(pin!(Unknown));
    assert_eq!(nodes.len(), 1);
    assert!(nodes[0].0.ends_with("Unknown"));
    assert!(!nodes[0].1);
}

#[test]
fn deep_tree_is_cut_and_counted() {
    register::<Tower>();
    let mut counts = Counts::default();
    Inspector::new(&mut counts).future(pin!(Tower(200)));
    assert_eq!((counts.entered, counts.left), (MAX_DEPTH, MAX_DEPTH));
    assert_eq!(counts.omitted, 1);
}

#[test]
fn wide_tree_is_cut_and_counted() {
    let mut counts = Counts::default();
    pin!(Wide(5_000)).inspect(&mut Inspector::new(&mut counts));
    assert_eq!((counts.entered, counts.left), (MAX_NODES, MAX_NODES));
    assert_eq!(counts.omitted, 5_001 - MAX_NODES);
}

#[test]
fn child_has_index_and_status() {
    let mut tree = TreeWriter::new(String::new());
    pin!(Wide(2)).inspect(&mut Inspector::new(&mut tree));
    let expected = "Wide\n  [0] core::future::pending::Pending<()>, woken\n  \
                    [1] core::future::pending::Pending<()>, woken\n";
    assert_eq!(tree.into_inner(), expected);
}

#[test]
fn status_of_the_future_yields_to_a_known_one() {
    let mut tree = TreeWriter::new(String::new());
    let mut inspector = Inspector::new(&mut tree);
    let node = Node::new("Leaf").status(Status::NotStarted);
    inspector.as_child(0, Status::Waiting, |inspector| {
        inspector.node(&node, |inspector| inspector.waits(Wait::Job { id: None }));
    });
    inspector.as_child(1, Status::Woken, |inspector| inspector.node(&node, |_| ()));
    inspector.ended_child(2, Status::Gone);
    inspector.node(&node, |_| ());
    let expected = "[0] Leaf, not started\n  waits for a blocking job\n[1] Leaf, woken\n\
                    [2] gone\nLeaf, not started\n";
    assert_eq!(tree.into_inner(), expected);
}

/// A future that stores another one in a local, and does not poll it.
struct Storing(Node);

struct Leaf(Node);

impl Inspect for Leaf {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&self.0, |_| ());
    }
}

registrable!(Leaf);

impl Inspect for Storing {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("Storing"), |inspector| {
            inspector.dormant("stored", pin!(Leaf(self.0)));
            inspector.future(pin!(Leaf(self.0)));
        });
    }
}

registrable!(Storing);

#[test]
fn local_has_its_name_and_own_status() {
    register::<Leaf>();
    register::<Storing>();
    let leaf = Node::new("Leaf");
    let expected = "Storing\n  [stored] Leaf, dormant\n  Leaf\n";
    assert_eq!(tree(pin!(Storing(leaf))), expected);
    let leaf = leaf.status(Status::Done);
    let expected = "Storing\n  [stored] Leaf, done\n  Leaf, done\n";
    assert_eq!(tree(pin!(Storing(leaf))), expected);
}
