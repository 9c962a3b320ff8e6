//! What an explicit machine is not sure of, by the rules that are broken.

use super::refused;
use crate::state_machine::{Errors, Function, Options, Rule, guarded, guarded_item, model};

/// Whether a body breaks this rule alone.
fn breaks(rule: Rule, bodies: &[&str]) {
    for body in bodies {
        let rules = refused(&format!("async fn f(a: A, n: u32) {{ {body} }}"));
        assert!(!rules.is_empty(), "accepted: {body}");
        assert!(rules.iter().all(|it| *it == rule), "{rules:?} of {body}");
    }
}

/// That bodies break no rule.
fn breaks_none(bodies: &[&str]) {
    for body in bodies {
        let rules = refused(&format!("async fn f(a: A, n: u32) {{ {body} }}"));
        assert_eq!(rules, [], "{body}");
    }
}

#[test]
fn condition_on_a_part_is_refused_wherever_it_stands() {
    breaks(
        Rule::ConfiguredStatement,
        &[
            "#[cfg(any())] return; g().await",
            "g().await; #[cfg(any())] drop(a);",
            "g().await; #[cfg(any())] { return }",
            "#[cfg(any())] let x: u32 = 1; g().await;",
            "#[cfg(any())] println!(); g().await;",
            "let s: S = S { a: n, #[cfg(any())] b: 4 }; g().await;",
            "match n { #[cfg(any())] 1 => {} _ => g().await }",
            "match n { S { #[cfg(any())] x, .. } => g().await }",
            "g().await; h(#[cfg(any())] 4, n);",
            "g().await; h(|#[cfg(any())] x: u32| x);",
            "g().await; h(|| { #[cfg(any())] k(); });",
            "g().await; h(async { #[cfg(any())] k(); });",
            "#[cfg_attr(any(), cfg(any()))] k(); g().await;",
            "let v: V = vec![#[cfg(any())] 5, 6]; g().await;",
            "let b: bool = matches!(n, #[cfg(any())] 1 | 2); g().await;",
            "#[cfg(any())] use k::*; g().await;",
            "#[cfg(any())] fn h() {} g().await;",
        ],
    );
    breaks_none(&[
        "if cfg!(debug_assertions) { k(); } g().await;",
        "#[rustfmt::skip] let x: u32 = 1; g().await;",
    ]);
}

#[test]
fn item_that_would_be_repeated_is_refused() {
    breaks(
        Rule::RepeatedItem,
        &[
            "static N: AtomicU32 = AtomicU32::new(0); g().await;",
            "static mut N: u32 = 0; g().await;",
            "{ static N: AtomicU32 = AtomicU32::new(0); } g().await;",
            "h(|| { static N: AtomicU32 = AtomicU32::new(0); }); g().await;",
            "fn h() { static N: u32 = 0; } g().await;",
            "fn h() { counter!() } g().await;",
            "const N: &A = { static M: A = A; &M }; g().await;",
            "struct L; g().await;",
            "enum L {} g().await;",
            "impl X { fn h() {} } g().await;",
            "impl T for X {} g().await;",
            "mod m {} g().await;",
            "trait T {} g().await;",
            "macro_rules! counter { () => {} } g().await;",
            "#[unsafe(no_mangle)] extern \"C\" fn held() {} g().await;",
            "#[volt::state_machine] async fn h() {} g().await;",
            "extern \"C\" { fn held(); } g().await;",
            "use super::*; g().await;",
        ],
    );
    breaks(
        Rule::UnknownMacro,
        &["thread_local! { static N: u32 = 0; } g().await;"],
    );
    breaks_none(&[
        "use std::fmt; use Kind::*; const N: &'static str = \"n\"; type M = u32; g().await;",
        "#[inline] fn h<'a>(x: &'static u32) -> u32 { *x } g().await;",
    ]);
}

#[test]
fn item_that_hides_a_variable_of_the_machine_is_refused() {
    breaks(
        Rule::ReservedName,
        &[
            "fn next() {} g().await;",
            "const cx: u32 = 1; g().await;",
            "{ fn begin() {} g().await; }",
        ],
    );
    breaks(Rule::RepeatedItem, &["use m::next; g().await;"]);
}

#[test]
fn unsafe_code_is_refused() {
    breaks(
        Rule::UnsafeCode,
        &[
            "g().await; unsafe { k(&n) };",
            "unsafe { g() }.await;",
            "unsafe { g().await }",
            "let x: u32 = h(|| unsafe { k() }); g().await;",
            "println!(\"{}\", unsafe { k() }); g().await;",
            "let b: bool = matches!(unsafe { k() }, 1 | 2); g().await;",
        ],
    );
    assert_eq!(
        refused("async unsafe fn f() { g().await; }"),
        [Rule::UnsafeCode]
    );
}

#[test]
fn address_is_refused() {
    breaks(
        Rule::TakenAddress,
        &[
            "let p: usize = &n as *const u32 as usize; g().await;",
            "let p: usize = &raw const n as usize; g().await;",
            "k(&raw mut n); g().await;",
            "k(n.as_ptr()); g().await;",
            "k(std::ptr::from_ref(&n)); g().await;",
            "let x: bool = std::ptr::eq(&a, &b); g().await;",
            "let x: NonNull<u32> = NonNull::from(&n); g().await;",
            "println!(\"{:p}\", &n); g().await;",
            "println!(\"{n:p}\"); g().await;",
            "info!(target: \"t\", \"{:p}\", &n); g().await;",
            "std::future::poll_fn(|cx| { k(&raw const a); a.poll(cx) }).await;",
        ],
    );
    breaks_none(&["let ptr: u32 = n; println!(\"{ptr:?} {}p\", n as usize); g().await;"]);
}

#[test]
fn macro_of_others_is_refused() {
    breaks(
        Rule::UnknownMacro,
        &[
            "throw!(n); g().await;",
            "ensure!(n > 0, \"none\"); g().await;",
            "bail!(\"none\"); g().await;",
            "let x: u32 = own::value!(); g().await;",
            "println!(\"{}\", own!(n)); g().await;",
            "let v: V = vec![own!(n); 3]; g().await;",
            "g().await; h(|| own!(n));",
            "crate::vec![n]; g().await;",
            "let x: own!() = k(); g().await;",
            "pin!(a); g().await;",
            "tokio::pin!(a); g().await;",
        ],
    );
    breaks_none(&[
        "assert!(n != 1 && !matches!(n, 2 | 3)); println!(\"{}\", vec![n; 2].len()); g().await;",
        "tracing::info!(n, \"x {}\", n); std::debug_assert_eq!(n, 1); g().await;",
    ]);
}

#[test]
fn poll_fn_of_others_is_refused() {
    breaks(
        Rule::ForeignPollFn,
        &[
            "own::poll_fn(|cx| a.poll(cx)).await;",
            "future::poll_fn(|cx| a.poll(cx)).await;",
        ],
    );
    breaks_none(&[
        "poll_fn(|cx| a.poll(cx)).await;",
        "::core::future::poll_fn(|cx| a.poll(cx)).await;",
        "std::future::poll_fn(|cx| a.poll(cx)).await;",
    ]);
}

#[test]
fn await_behind_the_rest_of_a_struct_is_refused() {
    let rules = refused("async fn f(b: B) { let p: P = P { b, ..g().await }; h().await; p; }");
    assert!(rules.contains(&Rule::AwaitInRest), "{rules:?}");
}

#[test]
fn value_assigned_to_nothing_within_an_expression_is_refused() {
    for body in [
        "let b: B = B; _ = g().await",
        "h((_ = g().await, 1));",
        "let x: () = _ = g().await;",
    ] {
        let rules = refused(&format!("async fn f() {{ {body} }}"));
        assert!(
            rules.contains(&Rule::UnknownExpression),
            "{rules:?} of {body}"
        );
    }
    breaks_none(&[
        "_ = g().await",
        "_ = g().await;",
        "match n { 1 => _ = g().await, _ => {} }",
    ]);
}

#[test]
fn panic_in_the_analysis_refuses_the_function() {
    let mut errors = Errors::default();
    let function = Function::read(
        syn::parse_quote!(
            async fn f() {}
        ),
        &mut errors,
    );
    let refused = guarded(function, &mut errors, |_, _| panic!("a fault of the macro"));
    assert!(refused.is_err());
    assert_eq!(errors.rules(), [Rule::UnreadFunction]);
}

#[test]
fn panic_anywhere_leaves_the_item_as_it_was() {
    for item in ["async fn f () {}", "impl A { async fn f () {} }"] {
        let tokens: proc_macro2::TokenStream = item.parse().unwrap();
        let expanded = guarded_item(tokens.clone(), |_| panic!("a fault of the macro"));
        let text = expanded.to_string();
        assert!(text.contains("compile_error"), "{text}");
        assert!(text.contains("the macro could not read"), "{text}");
        assert!(text.ends_with(&tokens.to_string()), "{text}");
    }
}

#[test]
fn type_with_arguments_is_no_panic() {
    let source = "async fn f(v: Vec<u32>) { let a = Arc::<Vec<u32>>::new(v); g().await; a.len(); }";
    assert_eq!(refused(source), []);
}

#[test]
fn output_that_is_never_there_is_refused() {
    assert_eq!(
        refused("async fn f() -> ! { loop { g().await } }"),
        [Rule::NeverOutput]
    );
}

#[test]
fn bare_name_of_a_variant_is_refused() {
    breaks(
        Rule::BareVariant,
        &[
            "g().await; match a { Ready(n) => k(n), Pending => {} }",
            "g().await; if let Pending = a { k() }",
        ],
    );
    breaks_none(&["g().await; match a { Poll::Ready(n) => k(n), MAX => {} Poll::Pending => {} }"]);
}

#[test]
fn branch_that_may_be_coerced_is_refused() {
    breaks(
        Rule::CoercedBranch,
        &[
            "let x: B = if n > 1 { g().await; Box::new(1) } else { other() }; x.k();",
            "let x: B = match n { 1 => { g().await; one() } _ => std::sync::Arc::new(2) }; x.k();",
            "let x: Box<dyn T> = 'a: { if n > 1 { break 'a one(); } g().await; other() }; x.k();",
            "let x: B = loop { g().await; break Box::new(1); }; x.k();",
            "k(if n > 1 { g().await; &1 } else { other() });",
        ],
    );
    breaks_none(&[
        "let x: u32 = if n > 1 { g().await; 1 } else { other() }; x.k();",
        "let x: Box<dyn T> = if n > 1 { one() } else { Box::new(2) }; k(x); g().await;",
        "let x: Box<dyn T> = if g().await { one() } else { Box::new(2) }; k(x);",
    ]);
}

#[test]
fn impl_trait_argument_hides_no_trait() {
    let source = "async fn f(display: impl Display, future: impl Future<Output = u32>) { future.await; display; }";
    let mut errors = Errors::default();
    let function = Function::parse(syn::parse_str(source).unwrap(), &mut errors).unwrap();
    let names = function
        .generics
        .type_params()
        .map(|param| param.ident.to_string());
    assert_eq!(names.collect::<Vec<_>>(), ["Display_2", "Future_2"]);
}

#[test]
fn machine_hides_nothing_of_the_prelude() {
    for (name, expected) in [
        ("send", "SendMachine"),
        ("result", "ResultMachine"),
        ("fetch", "Fetch"),
    ] {
        let mut errors = Errors::default();
        let source = format!("async fn {name}() {{}}");
        let function = Function::read(syn::parse_str(&source).unwrap(), &mut errors);
        assert_eq!(function.machine_name(&Default::default()), expected);
    }
}

#[test]
fn method_that_may_take_a_value_of_others_is_refused() {
    breaks(
        Rule::HiddenMove,
        &[
            "let n: u32 = a.finish(); g().await;",
            "if n > 1 { drop(a) } else { a.eat(); } g().await;",
        ],
    );
    breaks_none(&[
        "let n: u32 = a.finish(); g().await; drop(a);",
        "let n: u32 = { a }.finish(); g().await;",
        "let n: u32 = a.len(); g().await;",
        "let v: Vec<u32> = k(); v.sort(); g().await;",
    ]);
}

#[test]
fn hidden_temporary_over_an_await_is_refused() {
    breaks(
        Rule::LastingTemporary,
        &[
            "g(guard().len()).await;",
            "g(*cell()).await;",
            "g(page().title).await;",
            "g(list()[0]).await;",
        ],
    );
    breaks(
        Rule::ScrutineeTemporary,
        &[
            "match guard().len() { 1 => g().await, _ => {} }",
            "if let Some(b) = queue().pop() { g(b).await }",
        ],
    );
    breaks_none(&[
        "g(n.len()).await;",
        "g(make(n)).await;",
        "match make(n) { 1 => g().await, _ => {} }",
        "match guard().len() { 1 => k(), _ => {} } g().await;",
    ]);
}

#[test]
fn path_into_another_crate_makes_the_machine_native() {
    let is_native = |body: &str| {
        let source = format!("async fn f(a: A, n: u32) {{ {body} }}");
        let mut errors = Errors::default();
        let function = Function::read(syn::parse_str(&source).unwrap(), &mut errors);
        let model = model(function, Options::default(), &mut errors);
        assert!(model.is_ok(), "refused: {body}");
        errors.doubt().is_some()
    };
    for body in [
        "tokio::time::sleep(n).await",
        "::tokio::task::yield_now().await",
        "time::sleep(n).await;",
        "Box::pin(net::fetch(n)).await",
    ] {
        assert!(is_native(body), "{body}");
    }
    for body in [
        "sleep(n).await",
        "volt::time::sleep(n).await",
        "::volt::task::yield_now().await",
        "crate::net::fetch(n).await",
        "self::fetch(n).await; super::fetch(n).await",
        "net::Conn::open(n).await",
    ] {
        assert!(!is_native(body), "{body}");
    }
}
