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
fn calls_of_an_unknown_type_stay_open() {
    let head = "async fn get(&self, i: usize) -> u32";
    for body in [
        "rows.map(|row| row.get(i)); 1",
        "insert(row.get(0)); 1",
        "let n = row.get(0); n",
        "print!(\"{}\", row.get(0)); 1",
    ] {
        assert_marks(head, body, 0, true);
    }
    for body in [
        "take(Row { id: row.get(0) }); 1",
        "take(Some(row.get(0))); 1",
    ] {
        assert_marks(head, body, 0, false);
    }
    assert_marks(head, "heap(self.get(i - 1)).await", 1, false);
    assert_marks(head, "heap(Self::get(c, i)).await", 1, false);
    assert_marks(head, "row.get(0)?; Box::pin(c.get(0)).await", 2, false);
    assert_marks(head, "take!(a, row.get(0)?, row.get(0).b); 1", 2, false);
    assert_marks(head, "take!(row.get(0).await, row.get(0)..2); 1", 0, true);
}

#[test]
fn calls_by_the_own_type_are_marked() {
    let head = "async fn sum(&self) -> u32";
    for body in [
        "heap(Tree::sum(c)).await",
        "all((0..2).map(|_| Tree::sum(c))).await",
        "all(vec![Tree::sum(c), a.iter().sum::<u32>()]).await",
        "select! { x = heap(self.sum()) => x }",
        "{ use other::Tree; } heap(Tree::sum(c)).await",
        "trace!(\"{}\", Tree::LIMIT); heap(Self::sum(c)).await",
    ] {
        let (text, _) = marked(head, body);
        assert_eq!(text.matches("__volt_own").count(), 1, "{body}: {text}");
    }
    for (head, call) in [
        (
            "impl<T, const N: usize> Of<T, N> { async fn sum(&self) -> u32",
            "Of::<u8, 2>::sum(c)",
        ),
        (
            "impl Of<u8> { async fn sum(&self) -> u32",
            "Of::<u8>::sum(c)",
        ),
        ("impl Of<u8> { async fn sum(&self) -> u32", "Of::sum(c)"),
        (
            "impl m::Tree { async fn sum(&self) -> u32",
            "m::Tree::sum(c)",
        ),
    ] {
        for body in [
            format!("heap({call}).await"),
            format!("heap(id!({call})).await"),
        ] {
            assert_marks(head, &body, 1, false);
        }
    }
}

#[test]
fn calls_by_a_hidden_type_stay_open() {
    let head = "async fn sum(&self) -> u32";
    for body in [
        "take(other::Tree::sum(c)); 1",
        "take(Leaf::sum(c)); 1",
        "use other::Tree; take(Tree::sum(c)); 1",
        "use other::{Leaf as Tree}; { take(Tree::sum(c)); } 1",
        "use other::*; take(Tree::sum(c)); 1",
        "take(Tree::sum(c)); type Tree = other::Tree; 1",
        "declare!(Tree); take(Tree::sum(c)); 1",
        "declare! { struct Tree; } take(id!(Tree::sum(c))); 1",
        "take(id!({ use other::Tree; Tree::sum(c) })); 1",
        "take(id!(other::Tree::sum(c))); 1",
    ] {
        assert_marks(head, body, 0, true);
    }
    for (head, call) in [
        (
            "impl Of<u8> { async fn sum(&self) -> u32",
            "Of::<u16>::sum(c)",
        ),
        (
            "impl<T> Of<T, T> { async fn sum(&self) -> u32",
            "Of::<u8, u16>::sum(c)",
        ),
        ("impl Of { async fn sum(&self) -> u32", "Of::<u16>::sum(c)"),
        (
            "impl Tree { async fn sum<Tree>(&self) -> u32",
            "Tree::sum(c)",
        ),
        (
            "impl Walk for Tree { async fn sum(&self) -> u32",
            "Tree::sum(c)",
        ),
        (
            "impl Tree { async fn sum(&self) -> u32",
            "Self::Item::sum(c)",
        ),
    ] {
        for body in [format!("take({call}); 1"), format!("take(id!({call})); 1")] {
            assert_marks(head, &body, 0, true);
        }
    }
}

#[test]
fn method_as_a_value_is_found() {
    for body in [
        "all(self.list.iter().map(Self::walk)).await",
        "fn inner(tree: &Tree) -> impl Future<Output = u32> { heap(tree.walk()) } inner(self).await",
    ] {
        let block = format!("impl Tree {{ async fn walk(&self) -> u32 {{ {body} }} }}");
        assert!(OwnCalls::find(&method_of(&block)).is_value, "{body}");
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
