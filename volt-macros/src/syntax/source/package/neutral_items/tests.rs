//! Functions and macros that require no auto trait of a future, and others.

use super::super::package_words::PackageWords;
use super::{has_neutral_rules, is_neutral};

const PACKAGE: &str = "
    fn heap<'a, F: Future + 'a>(f: F) -> Pin<Box<dyn Future<Output = F::Output> + 'a>> { Box::pin(f) }
    fn of_impl(f: impl std::future::IntoFuture<Output = u32>) -> impl Future<Output = u32> { f }
    fn list<I>(list: I) -> All<I::Item> where I: IntoIterator, I::Item: Future { All::new(list) }
    fn sends<F: Future + Send>(f: F) -> Pin<Box<F>> { Box::pin(f) }
    fn sends_later<F>(f: F) -> Pin<Box<F>> where F: Future, F: std::marker::Send { Box::pin(f) }
    fn erases(f: impl Future<Output = u32>) -> Pin<Box<dyn Future<Output = u32> + Send>> { Box::pin(f) }
    fn own_bound<F: Task>(f: F) -> Pin<Box<F>> { Box::pin(f) }
    fn of_type(f: Walk) -> Pin<Box<Walk>> { Box::pin(f) }
    fn twice<F: Future>(f: F) -> F { f }
    mod other { fn twice<F: Future + Sync>(f: F) -> F { f } }
    impl Tasks { fn push<F: Future>(&mut self, f: F) -> F { f } }
";

#[test]
fn bounds_of_a_function_decide() {
    let mut package = PackageWords::default();
    package.enter("", None, PACKAGE);
    for name in ["heap", "of_impl", "list", "join_all"] {
        assert!(is_neutral(&package, name), "{name}");
    }
    for name in [
        "sends",
        "sends_later",
        "erases",
        "own_bound",
        "of_type",
        "twice",
        "push",
        "spawn",
    ] {
        assert!(!is_neutral(&package, name), "{name}");
    }
    package.enter("", None, "fn join_all<F: Future + Send>(f: F) -> F { f }");
    assert!(!is_neutral(&package, "join_all"));
}

#[test]
fn macros_of_boxed_expressions_are_neutral() {
    let mut package = PackageWords::default();
    package.enter("", None, PACKAGE);
    for rules in [
        "{ ($f:expr) => { Box::pin($f).await }; }",
        "{ ($($f:expr),*) => { (heap($($f),*).await, 1) }; }",
        "{ ($f:ident, $($n:expr),*) => { Box::pin($f($($n),*)).await }; }",
    ] {
        assert!(has_neutral_rules(&package, rules), "{rules}");
    }
    for rules in [
        "{ ($f:ident($n:expr)) => { Box::pin($f($n)).await }; }",
        "{ ($f:ident, $n:expr) => { sends($f($n)).await }; }",
        "{ ($f:ident) => { Box::pin($f).await }; }",
        "{ ($f:ident) => { Box::pin($f::<u32>(1)).await }; }",
        "{ ($f:expr) => { Rc::pin($f).await }; }",
        "{ ($f:expr) => { sends($f).await }; }",
        "{ ($f:expr) => { $f.boxed().await }; }",
        "{ ($f:expr) => { spawn!($f) }; }",
        "{ ($f:expr) => { { let f: Walk = $f; Box::pin(f).await } }; }",
    ] {
        assert!(!has_neutral_rules(&package, rules), "{rules}");
    }
}
