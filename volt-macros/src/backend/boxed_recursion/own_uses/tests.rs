//! Functions that use their own name for themselves, and others.

use super::names_itself;

fn names(body: &str) -> bool {
    let item = syn::parse_str(&format!("async fn walk(n: u32) {{ {body} }}"));
    names_itself(&item.expect("a function"))
}

#[test]
fn use_of_the_own_name_is_found() {
    for body in [
        "heap(walk(n - 1)).await",
        "join(list.map(walk)).await",
        "heap(super::walk(n - 1)).await",
        "let walk = heap(walk(n - 1)); walk.await",
        "{ fn walk() {} } heap(walk(n)).await",
        "if let Some(walk) = n { walk } else { heap(walk(n)) }.await",
        "match n { walk => (), _ => heap(walk(n)).await }",
        "join!(walk(n - 1), walk(n - 2));",
        "heap!(crate::walk::<u32>(n));",
        "use Kind::*; heap(walk(n)).await",
        "use imp::*; heap(async { walk(n).await }).await",
        "{ use imp::*; walk(n).await } heap(walk(n)).await",
    ] {
        assert!(names(body), "{body}");
    }
}

#[test]
fn name_of_another_item_is_no_use() {
    for body in [
        "let walk = |n| ready(n); walk(n).await",
        "fn walk() {} walk(n).await",
        "use imp::walk; walk(n).await",
        "use imp::{self, run as walk}; walk(n).await",
        "use imp::*; walk(n).await",
        "items!(); walk(n).await",
        "list.map(|walk| walk(n)).await",
        "for walk in list { walk(n).await }",
        "while let Some(walk) = list.pop() { walk(n).await }",
        "match n { walk => walk(n).await }",
        "if let Some(walk) = n && walk(n).await {}",
        "other::walk(n).await; walk::info!(n); n.walk().await",
        "log!(stringify!(walk), walk::LEVEL, n.walk(), other::walk(n));",
        "stringify!(walk(n));",
    ] {
        assert!(!names(body), "{body}");
    }
    let item = syn::parse_str("async fn walk((walk, _): (F, u32)) { walk(n).await }");
    assert!(!names_itself(&item.expect("a function")));
}
