//! Functions of which the macro is not sure, and why; and some of which it is.

use crate::fallback::FallbackReason;
use crate::hir::StoredTypes;
use crate::pipeline::analyse;

fn reasons(source: &str) -> Vec<FallbackReason> {
    let item: syn::ItemFn = syn::parse_str(source).expect("a function");
    let analysis = analyse(&item.sig, &item.block, StoredTypes::Any);
    let mut reasons: Vec<_> = analysis
        .fallbacks
        .all()
        .iter()
        .map(|fallback| fallback.reason)
        .collect();
    reasons.dedup();
    reasons
}

/// Returns the fallback reasons of
/// `async fn f(a: A, n: u32, r: &R, m: &mut M) -> Result<u32> { body }`.
fn body(body: &str) -> Vec<FallbackReason> {
    reasons(&format!(
        "async fn f(a: A, n: u32, r: &R, m: &mut M) -> Result<u32> {{ {body} }}"
    ))
}

macro_rules! fallbacks {
    ($($name:ident: $body:literal => [$($reason:ident),*];)*) => { $(
        #[test]
        fn $name() {
            assert_eq!(body($body), [$(FallbackReason::$reason),*] as [FallbackReason; 0 $(+ { let _ = FallbackReason::$reason; 1 })*]);
        }
    )* };
}

fallbacks! {
    borrower_of_what_is_dropped: "let t = text(); let w = t.split(' '); drop(t); h().await; Ok(1)" => [Borrow];
    borrower_of_what_stays: "let t = text(); let w = t.split(' '); h().await; drop(t); Ok(1)" => [];
    question_in_a_macro_of_a_call_that_borrows: "send(&a, format!(\"{}\", number()?)).await; k(&a); Ok(1)" => [OperandLeaves];
    assigned_where_no_type_tells: "let mut b = g(); k(b).await; b = 0; k(b).await; Ok(b)" => [];
    assigned_where_a_type_tells: "let mut b: B = g(); k(b).await; b = h(); k(b).await; Ok(1)" => [];
    bound_where_no_type_tells: "let (c, mut b) = (1, g()); k(b).await; b = 0; k(b).await; Ok(c)" => [];
    cast_that_is_borrowed: "k(&(n as u64)).await; Ok(1)" => [OperandTemporary];
    step_with_borrowed_temporaries: "#[step] send(&g(), &h(n)).await; Ok(1)" => [];
    step_with_a_temporary_after_a_copy: "#[step] send(n, &h()).await; Ok(1)" => [];
    step_with_a_temporary_after_a_borrow: "let b = g(); #[step] send(&b, &a.p, &h()).await; k(&a, b); Ok(1)" => [];
    step_with_a_temporary_after_a_reference: "#[step] r.send(&h()).await; Ok(1)" => [];
    step_with_a_chain_in_an_argument: "#[step] send(&g().text()).await; Ok(1)" => [];
    step_with_a_temporary_after_a_call: "#[step] send(g(), &h()).await; Ok(1)" => [OperandTemporary];
    step_with_a_temporary_after_a_move: "#[step] send(a, &h()).await; Ok(1)" => [];
    step_with_a_temporary_after_a_used_local: "let b = g(); #[step] send(b, &h()).await; k(b); Ok(1)" => [];
    step_with_a_temporary_after_a_reborrow: "let b = g(m); #[step] send(b, &h()).await; k(b); Ok(1)" => [CopiedOrBorrowed];
    step_with_a_temporary_after_a_receiver: "let b = g(); #[step] b.send(&h()).await; Ok(1)" => [OperandTemporary];
    step_with_a_temporary_after_a_variable: "let mut k: u32 = n; #[step] send(k, &h(&mut k)).await; Ok(k)" => [];
    step_with_a_borrowed_closure: "#[step] send(&|page| page).await; Ok(1)" => [OperandTemporary];
    constant_that_is_borrowed: "k(&(1 + 2)).await; Ok(1)" => [];
    parameter_of_a_closure_is_sure: "let mut v = p(); send(q(&mut v).map(|row| row)).await; k(&v); Ok(1)" => [];
    method_that_takes_behind_a_call: "let mut v = p(); let b = g(); send(q(&mut v), b.r()).await; k(&v); Ok(1)" => [TakenLate];
    element_beside_what_is_lent: "let mut v = p(); let l = g(); send(q(&mut v, l[0])).await; k(&v, &l); Ok(1)" => [];
    loop_that_never_ends_as_a_value: "let b = { let _g = g(); loop { if n > 1 { return Ok(1) } k().await; } }; Ok(b)" => [DivergingBlock];
    operand_that_leaves: "if n > 1 { send(return Ok(3), a).await; } h().await; Ok(r.n())" => [NeverReached];
    value_that_leaves: "loop { h().await; if n > 1 { break { return Ok(3) } } } h().await; Ok(n)" => [NeverReached];
    operand_that_panics: "send(todo!(), n).await; Ok(1)" => [NeverReached];
    panic_alone_is_sure: "if n > 1 { panic!(\"no\") } h().await; let n = n; Ok(n)" => [];
    operand_that_may_leave: "send(match n { 1 => return Ok(3), n => n }, n).await; Ok(1)" => [];
    part_taken_by_a_pattern_in_an_operand: "send(match a { A { p, .. } => p }).await; Ok(1)" => [PartialMove];
    all_taken_by_one_pattern_in_an_operand: "let o: Option<A> = g(); send(match o { Some(v) => v, _ => h() }).await; Ok(1)" => [PartialMove];
    all_taken_by_a_pattern_in_an_operand: "send(match a { Some(v) => v, None => h() }).await; Ok(1)" => [];
    element_of_a_list_behind_a_call: "let v = p(); send(&v, vec![q(), a]).await; k(&v); Ok(1)" => [];
    element_of_a_list_is_moved: "send(vec![format!(\"{a}\"), a]).await; Ok(1)" => [];
    lent_and_given_by_one_call: "let v = p(); send(take(&mut v), v).await; Ok(1)" => [CopiedOrBorrowed];
    local_behind_an_endless_loop: "let b = big(n); loop { if n == 0 { panic!() } } h().await; by(&b); Ok(1)" => [NeverReached];
    local_behind_two_returns: "let b = big(n); if n > 1 { return by(&b); } else { return Ok(2); } h().await; by(&b)" => [NeverReached];
    await_behind_an_endless_loop: "loop { h().await; todo!() } h().await; Ok(1)" => [NeverReached];
    nothing_named_behind_a_loop_is_sure: "loop { h().await; if n == 1 { return Ok(3) } }" => [];
    part_looked_at_and_all_of_it_moved: "let v = p(); join(g(&v, a.n.by(q()), a)).await; k(&v); Ok(1)" => [TakenLate];
    part_looked_at_before_all_of_it_is_moved_is_sure: "let v = p(); join(g(&v, a.n, a)).await; k(&v); Ok(1)" => [];
    macro_that_names_nothing_in_a_poll_fn: "poll_fn(|cx| { ready!(leaf()); poll(cx) }).await; Ok(1)" => [];
    macro_that_names_a_local_in_a_poll_fn: "poll_fn(|cx| { ready!(poll(cx, n)); leaf() }).await; Ok(1)" => [StoredClosure];
    macro_that_names_a_parameter_of_a_poll_fn: "poll_fn(|cx| { ready!(poll(cx)); leaf() }).await; Ok(1)" => [];
    closure_in_an_awaited_call: "all(a.parts().map(|part| send(part))).await; Ok(1)" => [];
    borrowing_closure_in_an_awaited_call: "all(a.parts().map(|part| send(part, n))).await; Ok(1)" => [OperandTemporary, MovedOrUsed, StoredClosure];
    plain_await_is_sure: "g(n).await; Ok(n)" => [];
    question_is_sure: "let x = g(n).await?; Ok(x)" => [];
    argument_moved_is_sure: "g(a).await; h().await; Ok(1)" => [];
    argument_kept_is_sure: "h().await; g(a).await; Ok(1)" => [];
    method_of_reference_is_sure: "m.go(n).await; r.look().await; m.go(n).await; Ok(1)" => [];
    reference_passed_on_twice_is_sure: "g(m).await; g(m).await; Ok(1)" => [];
    shared_reference_is_copied: "g(r).await; g(r).await; Ok(1)" => [];
    format_capture_counts: "let s = format!(\"{n}\"); h().await; println!(\"{s}\"); Ok(1)" => [];
    conditional_copy_is_sure: "let k = 3; if n > 1 { g(k) } h().await; Ok(k)" => [];
    event_by_its_name_alone: "info!(n, \"x\"); h().await; Ok(1)" => [UnknownMacro];
    event_that_captures_is_sure: "log::info!(\"{n}\"); h().await; Ok(1)" => [];
    capture_of_an_unknown_macro: "let f = || shout!(\"{n}\"); h().await; f(); Ok(1)" => [UnknownMacro];
    local_event_is_sure: "log::info!(n, \"x\"); h().await; Ok(1)" => [];

    hidden_temporary: "g(&page()).await; Ok(1)" => [OperandTemporary];
    value_lent_to_a_function: "let x = g(1, &a.url()).await?; Ok(x)" => [OperandTemporary];
    value_lent_to_a_method: "m.go(&h(n)).await; Ok(1)" => [OperandTemporary];
    chained_temporary_is_sure: "client().get(n).send().await; Ok(1)" => [];
    tail_beside_a_local: "let t = g(); if n > 1 { let u = g(); h(u); client().get(n).send().await } else { h(t) }" => [OperandTemporary];
    unknown_statement_macro: "bail!(n); h().await; Ok(1)" => [UnknownMacro];
    error_of_a_text: "if n > 1 { bail!(\"{n} of {}\", r.n); } h().await; Ok(1)" => [UnknownMacro];
    error_that_waits: "bail!(\"{}\", h().await)" => [UnknownMacro, AwaitInMacro];
    error_of_a_value: "h().await; Err(eyre!(n))" => [UnknownMacro];
    await_in_macro: "let x = pick!(h().await); Ok(1)" => [UnknownMacro, AwaitInMacro];
    await_in_an_assertion_is_sure: "assert!(g(n).await, \"{n}\"); h().await; Ok(1)" => [];
    assertion_of_two_awaits_is_sure: "assert_eq!(g(n).await, h().await); h().await; Ok(1)" => [];
    assertion_as_an_operand_is_sure: "g(assert_ne!(1, h().await)); h().await; Ok(1)" => [];
    await_in_the_message_of_an_assertion: "assert!(true, \"{}\", h().await); Ok(1)" => [AwaitInMacro];
    debug_assertion: "debug_assert!(n > 1); h().await; Ok(1)" => [UnknownMacro];
    condition_of_the_build_is_sure: "if cfg!(unix) { g(n).await; } h().await; Ok(1)" => [];
    cfg_statement: "#[cfg(unix)] g(); h().await; Ok(1)" => [Condition];
    unsafe_block: "unsafe { g() } h().await; Ok(1)" => [UnsafeCode];
    guard_crosses_is_sure: "let g = a.lock(); h().await; drop(g); Ok(1)" => [];
    method_before_await_is_asked: "a.take(); h().await; Ok(1)" => [];
    parts_within_an_operand_are_sure: "m.part.read(&mut m.room).await; m.done = true; h().await; Ok(1)" => [];
    array_behind_a_reference: "h().await; match a.as_slice() { [x, ..] => g(x), [] => {} } Ok(1)" => [ArrayPattern];
    array_that_is_looked_at_is_sure: "h().await; match a.as_slice() { [_] => g(n), [ref x, ..] => g(x), _ => {} } Ok(1)" => [];
    array_of_a_call: "let [x, y] = g(); h().await; g(x, y); Ok(1)" => [ArrayPattern];
    array_in_its_place: "h().await; let [x, y] = a; h().await; Ok(1)" => [ArrayPattern];
    parts_of_elements: "h().await; if let Some([(x, _), ..]) = a.list { g(x) } Ok(1)" => [ArrayPattern];
    array_given_to_a_closure: "g(|[x, y]| x); h().await; Ok(1)" => [ArrayPattern];
    constant_before_other_arms: "match n { least => h().await, n => h().await } Ok(1)" => [CapitalName];
    binding_of_the_last_arm_is_sure: "match n { 1 => h().await, NONE => h().await, n => g(n).await } Ok(1)" => [];
    taken_by_a_closure_with_a_branch_is_sure: "g(move || if n > 1 { a.go() }); h().await; Ok(1)" => [];
    conditional_move: "if n > 1 { g(a) } h().await; Ok(1)" => [ConditionalMove];
    part_by_value_is_asked: "g(a.part); h().await; Ok(1)" => [];
    local_taken_apart_is_asked: "let Page { x, y } = a; h().await; Ok(1)" => [];
    part_in_a_closure: "g(move || a.part); h().await; Ok(1)" => [PartialMove];
    local_moved_and_taken_apart_is_sure: "let Page { x, y } = { a }; h().await; Ok(1)" => [];
    closure_that_captures_nothing_is_sure: "let c = || 1; h().await; c(); Ok(1)" => [];
    part_that_an_await_may_take_is_asked: "a.part.take().await; h().await; Ok(1)" => [];
    closure_that_borrows: "g(|| n + 1).await; Ok(1)" => [StoredClosure];
    closure_that_takes_is_sure: "g(move || n + 1).await; Ok(1)" => [];
    operand_before_await: "g(b(), h().await); Ok(1)" => [AwaitAfterOperand];
    remainder_is_asked: "match g().await { (x, _) => h(x).await, } Ok(1)" => [];
    address: "let p = n as *const u8; h().await; Ok(1)" => [Address];
    inner_item: "{ fn x() {} } h().await; Ok(1)" => [InnerItem];
    guard_of_a_match_that_waits: "match n { x if x > 1 => h().await, _ => 2 }; Ok(1)" => [];
    guard_of_a_match_that_does_not_wait_is_sure: "h().await; match n { x if x > 1 => g(), _ => {} } Ok(1)" => [];
    let_in_a_condition_of_parts: "if let Some(x) = n && x > 1 { h().await } Ok(1)" => [AwaitInCondition];
    left_part_of_a_condition_waits: "if h().await && n > 1 { g() } Ok(1)" => [AwaitInCondition];
    block_that_ends_at_the_end_of_a_branch: "if n > 1 { { h().await; return Ok(1) } } Ok(1)" => [DivergingBlock];
    question_at_the_end_of_a_branch: "if n > 1 { { h().await; Err(n)? } } Ok(1)" => [DivergingBlock];
    branch_as_an_operand: "g(if n > 1 { h().await } else { 0 }); Ok(1)" => [UnknownExpression];
    await_in_a_text: "g(format!(\"{}\", h().await)); Ok(1)" => [AwaitInMacro];
    part_before_an_await: "m.n += h().await; Ok(1)" => [AwaitAfterOperand];
    whole_before_an_await_is_sure: "let mut sum = 0; sum += h().await; Ok(sum)" => [];
    value_of_a_let_refers_to_one_without_a_name: "let x = g(&page()); h().await; g(x); Ok(1)" => [TailTemporary];
    let_else_that_awaits_is_sure: "let Some(x) = a else { return g(n).await }; h().await; Ok(x)" => [];
    let_else_of_an_await_that_awaits_is_sure: "let Ok(x) = g(n).await else { h().await; return Ok(2) }; Ok(x)" => [];
    guard_waits: "match n { x if h().await => 1, _ => 2 }; Ok(1)" => [AwaitInGuard];
    borrowed_output_is_sure: "let s: Option<u8> = a.next().await; g(s).await; let t = a.peek().await; h().await; g(t); drop(a); Ok(1)" => [];
    temporary_moved_in_an_argument: "g(page().with(n).end()).await; Ok(1)" => [];
    temporary_moved_beside_a_local: "let t = g(); if n > 1 { let u = g(); h(u); client().with(n).send().await } else { h(t) }" => [];
    temporary_moved_by_a_call_that_leaves: "g(page().with(n?)).await; Ok(1)" => [OperandTemporary];
    guard_in_an_argument: "g(page().lock().len()).await; Ok(1)" => [OperandTemporary];
    reference_in_an_argument: "g(page().as_mut().end()).await; Ok(1)" => [OperandTemporary];
    impl_of_a_type_of_the_body: "struct P; impl P { fn f(&self) {} } h().await; Ok(1)" => [];
    impl_of_a_trait_of_the_body: "trait P {} impl P for u8 {} h().await; Ok(1)" => [];
    impl_of_another_type: "impl P for Page {} h().await; Ok(1)" => [ItemOnce];
    impl_of_a_type_parameter: "struct P; impl<P> Page for P {} h().await; Ok(1)" => [ItemOnce];
    impl_in_a_function_of_the_body: "fn g() { impl P for Page {} } h().await; Ok(1)" => [ItemOnce];
    borrowed_in_an_assertion: "let mut v = p(); k(&mut v).await; assert!(v.n > 1); k(&v).await; Ok(1)" => [];
    captured_in_an_assertion: "let mut v = p(); k(&mut v).await; assert!(q(move || v.n)); Ok(1)" => [LentInMacro];
    shadowed_in_an_assertion: "let x = g(); h().await; let x = k(x); assert!(x > 1); h().await; Ok(x)" => [];
    shadowed_in_a_long_assertion: "let x = g(); h().await; let x = k(x); assert!(x.contains_all_of_these(\"one\", \"two\", \"three\", \"four\", \"five\", \"six\", \"seven\", \"eight\")); Ok(1)" => [ShadowedInMacro];
    borrowed_temporary: "let s = &page(); h().await; g(s).await; Ok(1)" => [TailTemporary];
}

#[test]
fn type_parameter_is_a_reason() {
    assert_eq!(
        reasons("async fn f<T>(t: T) { g().await }"),
        [FallbackReason::TypeParameter]
    );
    assert_eq!(reasons("async fn f<'a>(t: &'a T) { g().await }"), []);
    assert_eq!(
        reasons("async fn f(t: impl T) { g().await }"),
        [FallbackReason::TypeParameter]
    );
}

#[test]
fn argument_pattern_is_sure() {
    for pattern in [
        "State(db): State",
        "(a, b): (A, B)",
        "State(db): State, _: Page, n: u32",
    ] {
        let source = format!("async fn f({pattern}) {{ g().await }}");
        assert_eq!(reasons(&source), [], "{pattern}");
    }
    assert_eq!(
        reasons("async fn f(ref page: Page) { g().await; h(page) }"),
        [FallbackReason::Borrow]
    );
    assert_eq!(reasons("async fn f(_: Page, mut n: u32) { g().await }"), []);
}

#[test]
fn question_needs_a_known_output() {
    assert_eq!(
        reasons("async fn f() -> Answer { g().await?; h() }"),
        [FallbackReason::QuestionMark]
    );
    assert_eq!(
        reasons("async fn f() -> Option<u8> { g().await?; h() }"),
        []
    );
}

#[test]
fn last_method_of_borrowed_local_is_queried() {
    let source = "async fn f(mut a: A) { a.go().await; a.go().await; a.stop().await; }";
    assert_eq!(reasons(source), []);
    assert_eq!(
        reasons("async fn f(mut a: A) { a.go().await; a.go().await; }"),
        []
    );
}
