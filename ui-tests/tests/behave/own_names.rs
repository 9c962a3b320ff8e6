//! Names that mean something else than the attribute could take them for: arguments and imports
//! named as the function, lifetimes named as arguments, raw names.

use std::fmt::Debug;
use std::future::Future;
use std::rc::Rc;

use super::log::*;

pub(crate) struct Local(Rc<u32>);

subject! {
    async fn call<F: Future<Output = u32>>(call: impl Fn(u32) -> F, local: Local) -> u32 {
        call(1).await + *local.0
    }
}

mod imported {
    use super::*;

    pub(crate) async fn pause(n: u32) -> u32 {
        tick("pause").await;
        n
    }
}

subject! {
    async fn pause(n: u32) -> u32 {
        use imported::*;
        pause(n).await + 1
    }
}

macro_rules! import {
    () => {
        use imported::*;
    };
}

pub(crate) mod by_macro {
    use super::*;

    subject! {
        pub(crate) async fn pause(n: u32) -> u32 {
            import!();
            pause(n).await + 2
        }
    }
}

async fn load(local: &Local) -> u32 {
    tick("load").await;
    *local.0
}

pub(crate) mod outer {
    use super::*;

    subject! {
        pub(crate) async fn load(local: Local) -> u32 {
            super::load(&local).await + *local.0
        }
    }
}

struct Failure;

impl Failure {
    fn boxed(self) -> Box<dyn Debug> {
        Box::new("failure")
    }
}

subject! {
    async fn fails(local: Local) -> u32 {
        let failure = Failure.boxed();
        tick("fails").await;
        format!("{failure:?}").len() as u32 + *local.0
    }
}

pub(crate) struct Store(Rc<u32>);

impl Store {
    async fn get(&self) -> u32 {
        tick("own").await;
        *self.0
    }
}

pub(crate) trait Get {
    async fn get(&self) -> u32;
}

subject! {
    impl Get for Store {
        async fn get(&self) -> u32 {
            self.get().await + 1
        }
    }
}

subject! {
    async fn bound_lifetime(a: &str, g: impl for<'a> Fn(&'a str) -> &'a str) -> usize {
        tick("bound").await;
        g(a).len()
    }
}

subject! {
    async fn bound_in_object(a: &str, g: &dyn for<'a> Fn(&'a str) -> &'a str) -> usize {
        tick("object").await;
        g(a).len()
    }
}

subject! {
    async fn bound_in_clause<G>(text: &str, g: G) -> usize
    where
        G: for<'text> Fn(&'text str) -> &'text str,
        for<'text> &'text G: Send,
    {
        tick("clause").await;
        g(text).len()
    }
}

subject! {
    async fn lifetime_in_body(a: &str, b: &u32) -> usize {
        fn inner<'a>(x: &'a str) -> &'a str {
            x
        }
        let g: for<'b> fn(&'b str) -> &'b str = |s| s;
        tick("body").await;
        'a: loop {
            tick("loop").await;
            break 'a;
        }
        inner(g(a)).len() + *b as usize
    }
}

macro_rules! pointer {
    () => {
        for<'a, 'text> fn(&'a str, &'text str) -> &'a str
    };
}

subject! {
    async fn lifetime_in_macro(a: &str, text: &str) -> usize {
        let g: pointer!() = |s, _| s;
        tick("macro").await;
        g(a, text).len()
    }
}

pub(crate) trait Look<'q> {
    fn look(&self, text: &'q str) -> usize;
}

impl<'q> Look<'q> for u32 {
    fn look(&self, text: &'q str) -> usize {
        text.len()
    }
}

subject! {
    async fn trait_with_lifetime(q: &str, l: impl for<'q> Look<'q>) -> usize {
        tick("trait").await;
        l.look(q)
    }
}

subject! {
    async fn lent_trait(q: &str, l: &(impl for<'q> Look<'q> + ?Sized)) -> usize {
        tick("lent").await;
        l.look(q)
    }
}

subject! {
    async fn boxed_trait(q: &str, l: Box<dyn for<'q> Look<'q> + '_>) -> usize {
        tick("boxed").await;
        l.look(q)
    }
}

subject! {
    async fn raw(r#type: u32, r#match: &str, r#fn: &mut u32) -> usize {
        tick("raw").await;
        *r#fn += 1;
        r#match.len() + r#type as usize
    }
}

pub(crate) struct Held<'a>(&'a str);

subject! {
    impl Held<'_> {
        async fn with<'outer>(&self, outer: &'outer str, this: &str) -> usize {
            let f: for<'r> fn(&'r str) -> usize = |text| text.len();
            tick("with").await;
            f(outer) + f(this) + f(self.0)
        }
    }
}

pub(crate) mod outputs {
    /// The name is that of another type in the standard library.
    pub(crate) type Option<T> = std::result::Result<T, String>;
    pub(crate) type MaybeResult<T> = std::option::Option<T>;
}

subject! {
    async fn result_named_option(given: Result<u32, String>) -> outputs::Option<u32> {
        tick("one").await;
        let number = given?;
        tick("two").await;
        Ok(number)
    }
}

subject! {
    async fn option_named_result(given: Option<u32>) -> outputs::MaybeResult<u32> {
        tick("one").await;
        let number = given?;
        tick("two").await;
        Some(number)
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    let cut: fn(&str) -> &str = |text| &text[1..];
    let _ = cut;
    case!(list, "call", call(|n| step("s", 1, n), Local(Rc::new(3))));
    case!(list, "pause", pause(3));
    case!(list, "by_macro", by_macro::pause(3));
    case!(list, "load", outer::load(Local(Rc::new(3))));
    case!(list, "fails", fails(Local(Rc::new(3))));
    case!(list, "get", async { Get::get(&Store(Rc::new(3))).await });
    case!(list, "bound_lifetime", bound_lifetime("abc", |s| &s[1..]));
    case!(list, "bound_in_object", async { bound_in_object("abc", &|s| &s[1..]).await });
    case!(list, "bound_in_clause", bound_in_clause("abc", |s: &str| -> &str { &s[1..] }));
    case!(list, "lifetime_in_body", lifetime_in_body("abc", &1));
    case!(list, "lifetime_in_macro", lifetime_in_macro("abc", "d"));
    case!(list, "trait_with_lifetime", trait_with_lifetime("a", 3));
    case!(list, "lent_trait", async { lent_trait("a", &3).await });
    case!(list, "boxed_trait", async { boxed_trait("a", Box::new(3)).await });
    case!(list, "raw", async { raw(1, "m", &mut 2).await });
    case!(list, "with", async { Held("ab").with("c", "def").await });
    case!(list, "result_named_option ok", result_named_option(Ok(1)));
    case!(list, "result_named_option err", result_named_option(Err("e".into())));
    case!(list, "option_named_result some", option_named_result(Some(1)));
    case!(list, "option_named_result none", option_named_result(None));
    list
}
