//! Items with odd names in the texts of a package.

use std::path::{Path, PathBuf};

use super::OddItems;

fn items(texts: &[&str]) -> OddItems {
    let names = ["a.rs", "b.rs", "c.rs"].iter().map(PathBuf::from);
    let texts = texts.iter().map(|text| (*text).to_owned());
    OddItems::of(&names.zip(texts).collect::<Vec<_>>())
}

fn contains(items: &OddItems, name: &str) -> bool {
    items.files.iter().any(|file| file.names.contains(name))
}

fn sorted(text: &str) -> Vec<String> {
    let files = items(&[text]).files.into_iter();
    let mut names: Vec<_> = files.flat_map(|file| file.names).collect();
    names.sort();
    names
}

#[test]
fn odd_items_of_a_file_are_found() {
    assert_eq!(
        sorted("pub const limit: u32 = 3; const r#type: u8 = 1;"),
        ["limit", "type"]
    );
    assert_eq!(sorted("struct ready; struct None(u8);"), ["None", "ready"]);
    let text =
        "enum Reply { /// Nothing, or less.\n None, #[cfg(a)] Some(u8, u8), Other, quiet = 1 }";
    assert_eq!(sorted(text), ["None", "Some", "quiet"]);
}

#[test]
fn other_words_are_no_odd_items() {
    assert!(items(&["const LIMIT: u32 = 3; const _: () = ();"]).is_empty());
    assert!(items(&["const fn limit() {} fn f<const n: usize>(p: *const u8) {}"]).is_empty());
    assert!(items(&["struct ready { at: u32 } enum Reply { Other { none: u8 } }"]).is_empty());
    assert!(items(&["let constant: u8 = 1; match reply { None => 1, limit => 2 }"]).is_empty());
}

#[test]
fn items_of_macros_are_found_where_they_are_called() {
    let declared = "macro_rules! own_reply { () => { enum Reply { None, Some(u32) } } }";
    let found = items(&[
        declared,
        "mod own { own_reply!(); }",
        "fn f() { my_own_reply!(); }",
    ]);
    assert!(found.is_of_macro(Path::new("b.rs"), "None"));
    assert!(!found.has_macros_in(Path::new("c.rs")));
    let declared = "macro_rules! replies { ($($name:ident),*) => { enum Reply { $($name),* } } }";
    let found = items(&[
        declared,
        "replies! { Other, quiet, None }",
        "replies!(later)",
    ]);
    assert!(found.is_of_macro(Path::new("b.rs"), "quiet"));
    assert!(found.is_of_macro(Path::new("b.rs"), "None"));
    assert!(!found.is_of_macro(Path::new("b.rs"), "later"));
    assert!(contains(&found, "later"));
}

#[test]
fn locals_in_arguments_of_macros_are_no_items() {
    let declared = "macro_rules! marks { ($($name:ident: $ty:ty),*; $($rest:tt)*) => \
                    { $(const $name: $ty = 1;)* $($rest)* } }";
    let found = items(&[
        declared,
        "marks! { limit: u32; fn f(n: u8) { g(n, limit) } }",
    ]);
    assert!(!contains(&found, "n"));
    let found = items(&[declared, "marks! { limit: u32; }"]);
    assert!(contains(&found, "limit"));
}

#[test]
fn items_are_found_in_the_module_of_a_path() {
    let shapes = "pub const limit: u32 = 3;";
    let found = items(&[
        "pub use crate::b::*; use crate::c::*;",
        shapes,
        "mod inner {}",
    ]);
    let is_in = |path: &str| {
        let path: Vec<_> = path.split("::").map(str::to_owned).collect();
        found.are_in(&path, "limit", Path::new("folder/b.rs"))
    };
    assert!(is_in("crate::b"));
    assert!(is_in("super::b"));
    assert!(is_in("crate::a"), "it exports those of the other module");
    assert!(!is_in("crate::c"));
    assert!(!is_in("crate::c::inner"));
    assert!(!found.are_in(&["b".to_owned()], "most", Path::new("a.rs")));
    let found = items(&["mod c; const limit: u32 = 3;", "", ""]);
    assert!(found.are_in(&["super".to_owned()], "limit", Path::new("folder/c.rs")));
    assert!(!found.are_in(&["super".to_owned()], "limit", Path::new("folder/d.rs")));
}
