//! The decisions of the macro, asked for by the model of small functions.

mod doubt;
mod in_place;

use crate::state_machine::{Errors, Function, Options, Rule, model};

/// The lines of the model: one a state, without the title.
fn model_of(source: &str) -> Vec<String> {
    let mut errors = Errors::default();
    let function = Function::parse(syn::parse_str(source).unwrap(), &mut errors).unwrap();
    let machine = model(function, Options::default(), &mut errors);
    let machine = machine.unwrap_or_else(|_| panic!("refused: {:?}", errors.rules()));
    let text = machine.to_string();
    let lines = text
        .lines()
        .skip(1)
        .map(|line| line.split('"').next().unwrap());
    lines.map(|line| line.trim().to_owned()).collect()
}

/// The rules that a function breaks.
fn refused(source: &str) -> Vec<Rule> {
    let mut errors = Errors::default();
    let function = Function::read(syn::parse_str(source).unwrap(), &mut errors);
    let _ = model(function, Options::default(), &mut errors);
    errors.rules().to_vec()
}

fn body(body: &str) -> Vec<String> {
    model_of(&format!("async fn f(a: A, n: u32) {{ {body} }}"))
}

#[test]
fn elided_reference_is_lent() {
    let source = "async fn f(a: &A, b: &mut B, c: &'x C, d: Option<&D>, mut e: &[u8]) {}";
    let mut errors = Errors::default();
    let function = Function::parse(syn::parse_str(source).unwrap(), &mut errors).unwrap();
    let lent = function.params.iter().map(|param| param.lent.is_some());
    assert_eq!(lent.collect::<Vec<_>>(), [true, true, false, false, false]);
    let lifetimes: Vec<_> = function
        .generics
        .lifetimes()
        .map(|p| p.lifetime.to_string())
        .collect();
    assert_eq!(lifetimes, ["'d", "'e"]);
}

#[test]
fn reference_that_is_returned_is_stored() {
    let source = "async fn f(a: &A) -> &B { g().await }";
    assert_eq!(model_of(source), ["Start { a } -> G", "G {  } -> Done"]);
}

#[test]
fn plain_argument_dies_with_its_last_use() {
    assert_eq!(
        body("g(n).await; h(a).await; n;")[1..],
        ["G { a, n } -> H", "H { n } -> Done"]
    );
}

#[test]
fn argument_that_may_drop_is_held_to_the_end() {
    assert_eq!(
        body("g().await;"),
        ["Start { a, n } -> G", "G { ~a } -> Done"]
    );
}

#[test]
fn local_moved_by_name_is_not_kept() {
    assert_eq!(body("drop(a); g().await;")[1..], ["G {  } -> Done"]);
}

#[test]
fn local_assigned_before_use_is_not_kept() {
    let lines = body("let mut m: u32 = 1; g(m).await; m = 2; h().await; m;");
    assert_eq!(lines[1..], ["G { ~a } -> H", "H { ~a, m } -> Done"]);
}

#[test]
fn loop_keeps_what_its_head_uses() {
    let lines = body("loop { if n == 0 { break } g().await; }");
    assert_eq!(
        lines[1..],
        ["G { ~a, n } -> G | Done", "jump Loop1 { ~a, n }"]
    );
}

#[test]
fn loop_left_before_it_turns_needs_no_jump() {
    let lines = body("loop { g().await; break; } h().await;");
    assert_eq!(lines[1..], ["G { ~a } -> H", "H { ~a } -> Done"]);
}

#[test]
fn branches_that_only_return_need_no_jump() {
    let lines = body("if n == 0 { g().await } else { h().await }");
    assert_eq!(lines.len(), 3);
}

#[test]
fn branches_with_code_behind_join() {
    let lines = body("if n == 0 { g().await } k(n);");
    assert_eq!(
        lines[1..],
        ["G { ~a, n } -> Done", "jump AfterIf1 { ~a, n }"]
    );
}

#[test]
fn diverging_branch_does_not_keep_what_follows() {
    let lines = body("let r = &n; if c() { g().await; return; } k(r);");
    assert_eq!(lines[1..], ["G { ~a } -> Done"]);
}

#[test]
fn names_in_macros_and_strings_are_uses() {
    let lines = body("let m: u32 = 1; g().await; println!(\"{m} {}\", n);");
    assert_eq!(lines[1], "G { ~a, n, m } -> Done");
}

#[test]
fn closure_parameter_shadows() {
    let lines = body("g().await; v().map(|n| n + 1);");
    assert_eq!(lines[1], "G { ~a } -> Done");
}

#[test]
fn hidden_local_gets_a_name_of_its_own() {
    let lines = body("{ let n: u64 = 1; g().await; n; } n;");
    assert_eq!(lines[1], "G { ~a, n, n_2 } -> Done");
}

#[test]
fn match_that_moves_its_local_leaves_nothing() {
    let lines = model_of(
        "async fn f(o: Option<A>) { match o { Some(a) => g(a).await, None => h().await } }",
    );
    assert_eq!(lines[1..], ["G {  } -> Done", "H {  } -> Done"]);
}

#[test]
fn local_assigned_before_the_await_is_kept_for_its_destructor_alone() {
    let lines = body("let mut b: B = B; b = B; g().await; h(n);");
    assert_eq!(lines[1], "G { ~a, n, ~b } -> Done");
}

#[test]
fn chain_may_end_before_its_pattern() {
    for (condition, conditional) in [
        ("let Some(b) = o", false),
        ("let Some(b) = o && n > 0", false),
        ("n > 0 && let Some(b) = o", true),
    ] {
        let source =
            format!("async fn f(o: Option<A>, n: u32) {{ if {condition} {{}} g().await }}");
        let mut errors = Errors::default();
        let function = Function::parse(syn::parse_str(&source).unwrap(), &mut errors).unwrap();
        let machine = model(function, Options::default(), &mut errors).unwrap();
        assert_eq!(!machine.conditional.is_empty(), conditional, "{condition}");
        assert!(machine.proven.is_empty(), "{condition}");
    }
}

#[test]
fn for_keeps_its_iterator_and_what_the_body_uses() {
    let lines = body("for i in 0..n { g().await; h(i); }");
    assert_eq!(lines[1], "G { ~a, iterator, i } -> G | Done");
}

#[test]
fn names_of_a_for_are_names_of_nothing_else() {
    let lines = body("let iterator: u32 = n; for item in 0..n { g().await; } iterator;");
    assert_eq!(lines[1], "G { ~a, iterator, iterator_2 } -> G | Done");
}

#[test]
fn condition_that_is_short_goes_on_behind_the_await() {
    let lines = body("if n == 0 && g().await { h(n); } k(a);");
    assert_eq!(lines[1], "G { a, n } -> Done");
    let chain = "let Some(m) = n.checked_sub(1)";
    let lines = body(&format!(
        "if {chain} && g().await {{ h(n); }} else {{ k(n); }}"
    ));
    assert_eq!(
        lines[1..],
        ["G { ~a, n } -> Done", "jump AfterIf1 { ~a, n }"]
    );
}

#[test]
fn part_before_an_await_stays_if_nobody_can_tell() {
    let lines = body("k(n, 1, MAX, g().await);");
    assert_eq!(lines[1], "G { ~a, n } -> Done");
    let lines = body("k(n, g(n).await);");
    assert_eq!(lines[1], "G { ~a, n } -> Done");
}

#[test]
fn part_before_an_await_is_kept_if_it_has_a_type() {
    let lines = body("k(a, g().await);");
    assert_eq!(lines[1], "G { operand } -> Done");
    let lines = body("k(g().await, h().await);");
    assert_eq!(lines[1..], ["G { ~a } -> H", "H { ~a, operand } -> Done"]);
    let lines = body("k(n, g(&mut n).await);");
    assert_eq!(lines[1], "G { ~a, n, operand } -> Done");
}

#[test]
fn argument_that_awaits_is_not_kept() {
    let lines = body("h(g().await?).await;");
    assert_eq!(lines[1..], ["G { ~a } -> H | Done", "H { ~a } -> Done"]);
}

#[test]
fn label_of_a_for_is_that_of_its_first_await() {
    let lines = body("#[state(Turning)] for _ in 0..n { g().await; }");
    assert_eq!(lines[1], "Turning { ~a, iterator } -> Turning | Done");
}

#[test]
fn refused_for_says_nothing_more_of_its_item() {
    assert_eq!(
        refused("async fn f() { let b = k(); for x in it() { g().await; h(x); } b; }"),
        [Rule::AwaitInFor, Rule::UntypedLocal]
    );
}

#[test]
fn await_in_macro_is_refused_and_in_async_block_is_not() {
    assert_eq!(
        refused("async fn f() { p!(g().await); }"),
        [Rule::AwaitInMacro]
    );
    assert_eq!(
        refused("async fn f() { println!(\"{:?}\", async move { g().await }); }"),
        []
    );
}

#[test]
fn every_error_is_found_at_once() {
    let source = "async fn f(n: u32) { let b = u(); k(h(), g().await); async {}.await; for _ in it { h().await } b; }";
    let rules = refused(source);
    for rule in [
        Rule::AwaitAfterOperand,
        Rule::AwaitedAsyncBlock,
        Rule::AwaitInFor,
        Rule::UntypedLocal,
    ] {
        assert!(rules.contains(&rule), "{rule:?} not in {rules:?}");
    }
}

#[test]
fn errors_of_signature_and_body_come_together() {
    let rules = refused(
        "async extern \"C\" fn f(Pair(a, _): Pair) { let c = a; x!(g().await); h().await; c; }",
    );
    assert_eq!(
        rules,
        [
            Rule::Qualifier,
            Rule::ArgumentPattern,
            Rule::AwaitInMacro,
            Rule::UntypedLocal
        ]
    );
}

#[test]
fn expression_kinds_that_are_not_known_are_refused() {
    for source in [
        "(&raw const g().await)",
        "const { g().await }",
        "|| async { g().await }.await",
        "k(h(), g().await)",
        "k(&h(), g().await)",
        "k(|| 1, g().await)",
        "k(&mut a, g(&a).await)",
        "k(&a, g(&mut a).await)",
        "k(&g().await).await",
        "a.f(g(&mut a).await)",
        "h().f(g().await)",
        "g().await.f(h().await)",
        "a[h()] += g().await",
        "*h() += g().await",
        "{ a[g().await] = 1 }",
    ] {
        let rules = refused(&format!("async fn f(a: A) {{ let x: X = {source}; }}"));
        let closure = source.starts_with('|') || source.starts_with("const");
        assert!(closure || !rules.is_empty(), "accepted: {source}");
    }
}
