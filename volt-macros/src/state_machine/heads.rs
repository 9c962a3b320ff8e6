//! What patterns read of a value before they look into it.

use proc_macro2::Ident;
use quote::quote;
use syn::{Pat, Path};

use super::pattern::{is_binding, unascribed};
use super::scope::bindings;

/// Whether a test for one of the patterns reads which variant the whole value is, for sure: one of
/// a type with several. A path alone may be that of a struct, which is read field by field. With it,
/// the names that this is so by, if they are those of the standard library.
pub(crate) fn read_variant<'p>(pats: impl Iterator<Item = &'p Pat>) -> (bool, Vec<Ident>) {
    let (mut heads, mut relied) = (Vec::new(), Vec::new());
    pats.for_each(|pat| collect_heads(pat, &mut heads, &mut relied));
    let mut paths = heads.iter().filter_map(|head| match head {
        Head::Variant(path) => Some(path),
        _ => None,
    });
    let several = paths
        .next()
        .is_some_and(|first| paths.any(|other| other != first));
    (several || heads.contains(&Head::Whole), relied)
}

/// What a pattern says of the whole value.
#[derive(PartialEq, Eq)]
enum Head {
    /// All of it is read.
    Whole,
    /// It is made by this path.
    Variant(String),
}

fn collect_heads(pat: &Pat, heads: &mut Vec<Head>, relied: &mut Vec<Ident>) {
    match unascribed(pat) {
        Pat::TupleStruct(pat) => heads.extend(head(&pat.path, relied)),
        Pat::Struct(pat) => heads.extend(head(&pat.path, relied)),
        Pat::Path(pat) => heads.extend(head(&pat.path, relied)),
        Pat::Or(pat) => pat
            .cases
            .iter()
            .for_each(|case| collect_heads(case, heads, relied)),
        Pat::Paren(pat) => collect_heads(&pat.pat, heads, relied),
        Pat::Guard(pat) => collect_heads(&pat.pat, heads, relied),
        Pat::Ident(pat) if pat.ident == "None" => {
            relied.push(pat.ident.clone());
            heads.push(Head::Whole);
        }
        other if is_binding(other) && !bindings(other).is_empty() => heads.push(Head::Whole),
        _ => {}
    }
}

fn head(path: &Path, relied: &mut Vec<Ident>) -> Option<Head> {
    const VARIANTS: [&str; 3] = ["Some", "Ok", "Err"];
    let name = path.get_ident();
    let known = name.filter(|name| VARIANTS.iter().any(|known| *name == known));
    relied.extend(known.cloned());
    match known {
        Some(_) => Some(Head::Whole),
        None => name
            .is_none()
            .then(|| Head::Variant(quote!(#path).to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::Expr;

    fn reads(source: &str) -> bool {
        match syn::parse_str(source).expect("a `match`") {
            Expr::Match(node) => read_variant(node.arms.iter().map(|arm| &arm.pat)).0,
            _ => panic!("no `match`"),
        }
    }

    #[test]
    fn one_variant_of_several_is_read() {
        assert!(reads("match x { Some(n) => n, None => 0 }"));
        assert!(reads("match x { Kind::A(n) | Kind::B(n) => n }"));
        assert!(reads("match x { Kind::A => 1, Kind::B { n, .. } => n }"));
        assert!(reads("match x { other => other }"));
    }

    #[test]
    fn what_may_be_a_struct_is_not() {
        assert!(!reads("match x { m::Pair { a, .. } => a }"));
        assert!(!reads(
            "match x { m::Pair { a: 1, .. } => 1, m::Pair { a, .. } => a }"
        ));
        assert!(!reads("match x { Unit => 1 }"));
        assert!(!reads("match x { Pair(a, _) => a }"));
        assert!(!reads("match x { _ => 1 }"));
    }
}
