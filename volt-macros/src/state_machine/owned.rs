//! Types that have a destructor for sure.

use syn::Type;

/// The types of the standard library that own what is on the heap.
const OWNERS: [&str; 12] = [
    "Arc",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Box",
    "HashMap",
    "HashSet",
    "PathBuf",
    "Rc",
    "String",
    "Vec",
    "VecDeque",
];

/// Whether dropping a value of the type does something, as its name tells. A type of one's own
/// that bears such a name may take more room than it needs, and nothing else.
pub(crate) fn owns(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| OWNERS.iter().any(|owner| last.ident == owner))
}
