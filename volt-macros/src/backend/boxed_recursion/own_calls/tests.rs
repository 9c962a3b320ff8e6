//! The calls of a method that are marked as its own.

use quote::ToTokens;
use syn::{ImplItem, ItemImpl};

use super::{OwnCalls, OwnTraits};
use crate::signature::{ImplTarget, Method};

/// Returns the only method of an `impl`.
fn method_of(block: &str) -> Method {
    let block: ItemImpl = syn::parse_str(block).expect("an impl");
    let [ImplItem::Fn(method)] = &*block.items else {
        panic!("one method");
    };
    Method {
        impl_target: ImplTarget::new(&block),
        original: method.clone(),
    }
}

/// Returns the body with its marks, and `true` if a call that is not marked may be its own.
fn marked(head: &str, body: &str) -> (String, bool) {
    let has_impl = head.starts_with("impl");
    let head = if has_impl {
        head.to_owned()
    } else {
        format!("impl Tree {{ {head}")
    };
    let method = method_of(&format!("{head} {{ {body} }} }}"));
    let mut block = method.original.block.clone();
    let calls = OwnCalls::mark(&method, &mut block, &OwnTraits::Send.mark());
    assert!(!calls.is_value, "{body}");
    (block.to_token_stream().to_string(), calls.is_open)
}

/// Asserts the number of marks, and whether a call stays open.
fn assert_marks(head: &str, body: &str, count: usize, is_open: bool) {
    let (text, found) = marked(head, body);
    assert_eq!(text.matches("__volt_own").count(), count, "{body}: {text}");
    assert_eq!(found, is_open, "{body}: {text}");
}

#[test]
fn own_calls_are_marked() {
    let head = "async fn walk(&self, n: u32) -> u32";
    for body in [
        "Box::pin(self.walk(n - 1)).await",
        "all(self.list.iter().map(|c| c.walk(n))).await",
        "let f = c.walk(n); heap(f).await",
        "c.walk(n).boxed().await",
        "heap(Tree::walk(c, n)).await",
        "let _ = c.walk(n); 1",
        "let f = async { c.walk(n) }; heap(f.await).await",
        "let f = || { return c.walk(n) }; heap(f()).await",
        "heap(async { c.walk(n).await }).await",
        "join!(c.walk(n), ready(1)).0",
        "boxed!(c.walk(n).await)",
    ] {
        assert_marks(head, body, 1, false);
    }
}

#[test]
fn calls_with_another_signature_are_not_marked() {
    let head = "async fn walk(&self, n: u32) -> u32";
    for body in [
        "heap(c.walk()).await",
        "heap(c.walk(n, 1)).await",
        "heap(c.walk::<u32>(n)).await",
        "heap(Tree::walk(n)).await",
        "heap(walk(c, n)).await",
        "c.walk(n).await",
    ] {
        assert_marks(head, body, 0, false);
    }
    assert_marks(
        "async fn walk(n: u32) -> u32",
        "heap(c.walk()).await",
        0,
        false,
    );
    let generic = "async fn walk<T: Default>(&self, n: T) -> u32";
    assert_marks(generic, "heap(c.walk::<u32>(n)).await", 1, false);
}

#[test]
fn calls_of_a_given_type_are_not_marked() {
    let head = "async fn sum(&self) -> u32";
    for body in [
        "pause().await; self.list.iter().sum()",
        "if n > 0 { a.iter().sum() } else { 0 }",
        "match n { 0 => 1, _ => { pause().await; a.iter().sum() } }",
        "let n: u32 = a.iter().sum(); n",
        "return a.iter().sum();",
        "a.map(|b| -> u32 { b.iter().sum() }); 1",
        "let Some(n) = a.iter().sum() else { return 1 }; n",
        "if a.sum() { 1 } else { 2 }",
        "a.iter().sum() + 1",
    ] {
        assert_marks(head, body, 0, false);
    }
}

#[test]
fn calls_of_an_unknown_type_are_marked() {
    let head = "async fn get(&self, i: usize) -> u32";
    for body in [
        "rows.map(|row| row.get(i)); 1",
        "insert(row.get(0)); 1",
        "let n = row.get(0); n",
        "let n: _ = row.get(0); n",
        "match row.get(0) { n => n }",
        "print!(\"{}\", row.get(0)); 1",
        "take(Row { id: row.get(0) }); 1",
        "take(Some(row.get(0))); 1",
        "heap(self.get(i - 1)).await",
        "heap(Self::get(c, i)).await",
        "row.get(0)?; Box::pin(c.get(0)).await",
        "match row.get(0) { Some(f) => heap(f).await, None => Box::pin(c.get(0)).await }",
    ] {
        assert_marks(head, body, 1, false);
    }
}

#[test]
fn calls_in_macros_are_marked() {
    let head = "async fn get(i: usize) -> u32";
    for (tokens, marked) in [
        (
            "a, x = Tree::get(i) => x",
            "a , x = M (Tree :: get (i)) => x",
        ),
        (
            "return m::Tree::<u8>::get(i)",
            "return M (m :: Tree :: < u8 > :: get (i))",
        ),
        (
            "in <Tree as Get>::get(i)",
            "in M (< Tree as Get > :: get (i))",
        ),
        ("return ::m::get(i)", "return M (:: m :: get (i))"),
        ("1..Self::get(i).await", "1 .. M (Self :: get (i)) . await"),
    ] {
        assert_eq!(marked_macro(head, tokens), (without_spaces(marked), false));
    }
    let head = "async fn get(&self, i: usize) -> u32";
    for (tokens, marked) in [
        (
            "&mut self.a[0].b(1)?.get(i)",
            "& mut M (self . a [0] . b (1) ? . get (i))",
        ),
        ("|row| row.get(i)", "| row | M (row . get (i))"),
        ("0..row.get(i)", "0 .. M (row . get (i))"),
        ("a > (b).get(i)", "a > M ((b) . get (i))"),
        ("a => (b).get(i)", "a => M ((b) . get (i))"),
        (
            "of::<Vec<u8>>(b).get(i)",
            "M (of :: < Vec < u8 >> (b) . get (i))",
        ),
        (
            "!(b).get(i), vec![b].get(i)",
            "! M ((b) . get (i)) , M (vec ! [b] . get (i))",
        ),
        ("return (b).get(i)", "return M ((b) . get (i))"),
        (
            "a.await.0.get(i).get(i)",
            "M (M (a . await . 0 . get (i)) . get (i))",
        ),
        ("f(row.get(i))", "f (M (row . get (i)))"),
    ] {
        assert_eq!(marked_macro(head, tokens), (without_spaces(marked), false));
    }
    for body in [
        "take!(Tree { n: 1 }.get(i)); 1",
        "take!(let n = unsafe { row }.get(i); n); 1",
    ] {
        assert_marks(head, body, 1, false);
    }
    let in_braces = "unsafe { row }.get(i)";
    let unchanged = without_spaces(in_braces);
    assert_eq!(marked_macro(head, in_braces), (unchanged, true));
}

/// Returns the marked tokens of a macro with a syntax of its own, with `M` for the mark, and
/// whether a call stays open.
fn marked_macro(head: &str, tokens: &str) -> (String, bool) {
    let (text, is_open) = marked(head, &format!("take!(@ {tokens}); 1"));
    let tokens = text.split_once("take ! (@ ").expect("a macro").1;
    let tokens = tokens.strip_suffix(") ; 1 }").expect("a last statement");
    let tokens = tokens.replace("__volt_own", "M");
    (without_spaces(&tokens), is_open)
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn method_as_a_value_is_found() {
    for body in [
        "all(self.list.iter().map(module::walk)).await",
        "apply!(Self::walk, self).await",
        "fn inner(tree: &Tree) -> impl Future<Output = u32> { heap(tree.walk()) } inner(self).await",
    ] {
        let block = format!("impl Tree {{ async fn walk(&self) -> u32 {{ {body} }} }}");
        assert!(OwnCalls::find(&method_of(&block)).is_value, "{body}");
    }
}

#[test]
fn path_of_a_method_is_marked() {
    for path in [
        "Self::walk",
        "Tree::walk",
        "<Tree>::walk",
        "<Self as Walk>::walk",
        "Other::walk",
    ] {
        let head = "async fn walk(&self) -> u32";
        let body = format!("all(self.list.iter().map({path})).await");
        let mark = format!("__volt_own_value({path},Self::walk).__volt_pick(__volt_own_function)");
        let (text, is_open) = marked(head, &body);
        assert!(
            text.replace(' ', "").contains(&mark.replace(' ', "")),
            "{text}"
        );
        assert!(!is_open, "{body}");
    }
}

#[test]
fn method_of_another_type_is_no_own_call() {
    let block = "impl Tree {
        async fn walk(&self) -> u32 {
            struct Other;
            impl Other {
                async fn walk(&self) -> u32 { 1 }
            }
            Box::new(Other).walk().await + self.inner.walk().await
        }
    }";
    assert!(!OwnCalls::find(&method_of(block)).any());
}
