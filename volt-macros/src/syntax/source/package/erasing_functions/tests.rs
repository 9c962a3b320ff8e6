//! Functions that erase a future with and without `Send`.

use super::super::super::bare_code::code;
use super::*;

const FUNCTIONS: &str = "
    mod own {
        pub fn erase<'a, T>(f: impl Future<Output = T> + 'a) -> Pin<Box<dyn Future<Output = T> + 'a>> {
            Box::pin(f)
        }
        pub fn erase_send<T>(f: T) -> Pin<Box<dyn Future<Output = u8> + Send>> { Box::pin(f) }
        pub fn keep<F: Future>(f: F) -> Pin<Box<F>> { Box::pin(f) }
        type Local<'a> = LocalBoxFuture<'a, u8>;
        pub fn alias<'a>(f: impl Future<Output = u8> + 'a) -> Local<'a> { Box::pin(f) }
        pub struct Later(Pin<Box<dyn Future<Output = u8>>>);
    }
";

fn erasing() -> Erasing {
    Erasing {
        own: Rc::new(FileModules::new(&code(FUNCTIONS))),
        path: PathBuf::from("none"),
    }
}

fn is_erased(body: &str) -> bool {
    let is_future = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "walk");
    erasing().is_in(body.parse().expect("tokens"), &is_future)
}

#[test]
fn future_passed_to_an_erasing_function_is_found() {
    for body in [
        "own::erase(walk(n - 1)).await",
        "let f = walk(n).erase(); f.await",
        "{ own::alias(async move { walk(n).await }).await }",
        "own::Later::of(self.walk(n)).await",
    ] {
        assert!(is_erased(body), "{body}");
    }
}

#[test]
fn future_in_another_box_is_not_found() {
    for body in [
        "own::erase_send(walk(n)).await",
        "own::keep(walk(n)).await",
        "Box::pin(walk(n)).await",
        "own::erase(other(n)).await",
        "own::Kept::of(self.walk(n)).await",
    ] {
        assert!(!is_erased(body), "{body}");
    }
}

#[test]
fn erasing_type_is_found_by_its_name() {
    for (body, is_named) in [
        ("let f: Local<'_> = Box::pin(walk(n)); f.await", true),
        ("let f: own::Later = later(walk(n)); f.await", true),
        ("let f: Other<'_> = Box::pin(walk(n)); f.await", false),
    ] {
        let found = erasing().is_named_in(body.parse().expect("tokens"));
        assert_eq!(found, is_named, "{body}");
    }
}
