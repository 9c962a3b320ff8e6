//! `ItemScopes`: the modules and blocks of a file, with the names that patterns may mean.

use super::use_tree::Import;

/// The scopes of a file. The first one is the file.
#[derive(Debug)]
pub(in super::super) struct ItemScopes {
    pub(super) scopes: Vec<ItemScope>,
}

/// A module, or a block that declares or imports items.
#[derive(Debug, Default)]
pub(super) struct ItemScope {
    /// The places of its braces.
    pub(super) ends: (usize, usize),
    /// The scope around it.
    pub(super) outer: usize,
    /// The name of a module. A block has none.
    pub(super) module: Option<String>,
    /// Constants, unit structs and tuple structs, as far as their names are odd.
    pub(super) values: Vec<String>,
    pub(super) enums: Vec<Enum>,
    pub(super) imports: Vec<Import>,
}

#[derive(Debug)]
pub(super) struct Enum {
    pub(super) name: String,
    /// The variants with odd names.
    pub(super) variants: Vec<String>,
}

/// Returns `true` for a name that the macro reads otherwise in a pattern: as a local, or as a
/// variant of `core`.
pub(super) fn is_odd(name: &str) -> bool {
    !is_capital(name) || matches!(name, "None" | "Some" | "Ok" | "Err")
}

pub(super) fn is_capital(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

impl ItemScopes {
    /// Sorts scopes, so that a scope comes after those around it.
    pub(super) fn in_order(mut scopes: Vec<ItemScope>) -> Self {
        scopes.sort_by_key(|scope| scope.ends.0);
        for at in 1..scopes.len() {
            let (before, from) = (&scopes[..at], scopes[at].ends.0);
            let is_around = |scope: &ItemScope| scope.ends.1 > from;
            scopes[at].outer = before.iter().rposition(is_around).unwrap_or(0);
        }
        Self { scopes }
    }

    /// Returns `true` if a pattern of the file may name an item with an odd name.
    pub(in super::super) fn have_odd_names(&self) -> bool {
        self.scopes.iter().any(|scope| {
            let has_variants = |of: &Enum| !of.variants.is_empty();
            !scope.values.is_empty()
                || scope.enums.iter().any(has_variants)
                || scope.imports.iter().any(Import::may_be_odd)
        })
    }

    /// Returns `true` if an import may be that of an item of another file of the package.
    pub(in super::super) fn have_imports(&self) -> bool {
        let mut imports = self.scopes.iter().flat_map(|scope| &scope.imports);
        imports.any(|import| import.name.as_deref().is_none_or(is_odd))
    }

    /// The innermost scope around a place.
    pub(super) fn scope_at(&self, place: usize) -> usize {
        let is_around = |scope: &ItemScope| (scope.ends.0..=scope.ends.1).contains(&place);
        let mut scopes = self.scopes.iter();
        // A scope comes after those around it.
        scopes.rposition(is_around).unwrap_or(0)
    }
}

impl Import {
    /// Returns `true` if the path may end with a variant or constant of another file.
    fn may_be_odd(&self) -> bool {
        match &self.name {
            Some(name) => is_odd(name) && self.path.iter().any(|segment| is_capital(segment)),
            None => self.path.last().is_some_and(|last| is_capital(last)),
        }
    }
}
