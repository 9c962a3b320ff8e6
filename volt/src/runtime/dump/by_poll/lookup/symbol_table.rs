//! Names of closures, `async fn`s and machines from the symbol table of the executable.
//!
//! Profiles with line tables only (`debug = "line-tables-only"`) have the name `{async_fn#0}`,
//! `advance<..>` or `poll` for each of them. The symbol table has their paths, in each executable
//! that is not stripped.

use std::fs;

use object::{Object, ObjectSymbol, SymbolKind};

/// The entry of the auxiliary vector with the address at which the program was started.
const AT_ENTRY: usize = 9;

/// The closures of the executable and the methods of its machines, sorted by address.
#[derive(Debug, Default)]
pub(in crate::runtime::dump::by_poll) struct SymbolTable(Vec<BodySymbol>);

/// The symbol of the body of an `async fn`, or of a closure.
#[derive(Debug)]
struct BodySymbol {
    begin: u64,
    end: u64,
    name: Box<str>,
}

impl SymbolTable {
    /// Reads the executable of this process. The table is empty if the executable cannot be read,
    /// or if it is stripped.
    pub(in crate::runtime::dump::by_poll) fn of_process() -> Self {
        Self::read().unwrap_or_default()
    }

    fn read() -> Option<Self> {
        let bytes = fs::read("/proc/self/exe").ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        let moved_by = entry_address()?.wrapping_sub(file.entry());
        let mut bodies: Vec<BodySymbol> = file
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0)
            .filter_map(|symbol| {
                let name = body_name(symbol.name().ok()?)?;
                let begin = symbol.address().wrapping_add(moved_by);
                let end = begin.wrapping_add(symbol.size());
                Some(BodySymbol { begin, end, name })
            })
            .collect();
        bodies.sort_unstable_by_key(|body| body.begin);
        Some(Self(bodies))
    }

    /// Returns the path of the closure or method that contains the code before a return address.
    pub(in crate::runtime::dump::by_poll) fn body_at(&self, return_address: usize) -> Option<&str> {
        let address = (return_address as u64).checked_sub(1)?;
        let after = self.0.partition_point(|body| body.begin <= address);
        let body = self.0.get(after.checked_sub(1)?)?;
        (address < body.end).then_some(&*body.name)
    }
}

/// Returns the path of a closure or of a method of a machine, or `None` for the symbol of another
/// function.
fn body_name(symbol: &str) -> Option<Box<str>> {
    let name = format!("{:#}", rustc_demangle::try_demangle(symbol).ok()?);
    let is_closure =
        name.ends_with("{{closure}}") || name.ends_with('}') && name.contains("::{closure");
    // The attribute puts the implementations into an unnamed constant.
    let is_method = name.ends_with(">::advance") || name.ends_with(">::poll");
    let is_of_machine = is_method && name.contains("::_::<impl ");
    (is_closure || is_of_machine).then(|| name.into_boxed_str())
}

/// Returns the address at which the program was started.
fn entry_address() -> Option<u64> {
    let vector = fs::read("/proc/self/auxv").ok()?;
    let (words, _) = vector.as_chunks::<{ size_of::<usize>() }>();
    let (entries, _) = words.as_chunks::<2>();
    let entry = |[kind, value]: &[[u8; size_of::<usize>()]; 2]| {
        (usize::from_ne_bytes(*kind) == AT_ENTRY).then(|| usize::from_ne_bytes(*value) as u64)
    };
    entries.iter().find_map(entry)
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::{SymbolTable, body_name};

    #[test]
    fn closures_of_this_program_are_found() {
        let table = SymbolTable::of_process();
        assert!(!table.0.is_empty(), "the test program is not stripped");
        assert!(table.0.iter().all(|body| body.begin < body.end));
        let mut names = Vec::new();
        backtrace::trace(|frame| {
            names.extend(table.body_at(frame.ip() as usize));
            true
        });
        let this = "closures_of_this_program_are_found";
        assert!(names.iter().any(|name| name.contains(this)), "{names:?}");
        assert_eq!(table.body_at(1), None);
        assert_eq!(table.body_at(0), None);
    }

    #[test]
    fn only_closures_have_names() {
        let v0 = "_RNCNvCs21hi0yVfW1J_7mycrate3foo0B3_";
        assert_eq!(body_name(v0).as_deref(), Some("mycrate::foo::{closure#0}"));
        let legacy = "_ZN7mycrate3foo28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE";
        assert_eq!(
            body_name(legacy).as_deref(),
            Some("mycrate::foo::{{closure}}")
        );
        assert_eq!(body_name("_ZN7mycrate3foo17h0123456789abcdefE"), None);
        let machine = "_ZN5mycr41_145_$LT$impl$u20$volt..Explicit$u20$for$u20$mycr..Wait$GT$7advance17h0123456789abcdefE";
        assert_eq!(body_name(machine), None, "the unnamed constant is missing");
        assert_eq!(body_name("main"), None);
    }
}
