//! Which locals stay in their place.

use super::body;
use crate::state_machine::{Errors, Function, Options, model};

/// The machine of a function.
macro_rules! machine {
    ($source:expr) => {{
        let mut errors = Errors::default();
        let function = Function::parse(syn::parse_str($source).unwrap(), &mut errors).unwrap();
        let machine = model(function, Options::default(), &mut errors);
        machine.unwrap_or_else(|_| panic!("refused: {:?}", errors.rules()))
    }};
}

/// The locals that stay in their place, each with the one in whose room it is.
fn rooms_of(source: &str) -> Vec<String> {
    let machine = machine!(source);
    let name = |room: usize| machine.name(machine.rooms.0[room].local).to_string();
    let rooms = machine.rooms.0.iter().enumerate();
    let rooms = rooms.map(|(index, room)| match room.within {
        Some(outer) => format!("{} in {}", name(index), name(outer)),
        None => name(index),
    });
    rooms.collect()
}

/// The locals that live beside the states.
fn beside(source: &str) -> Vec<String> {
    let machine = machine!(source);
    let names = machine.beside.iter();
    names
        .map(|&local| machine.name(local).to_string())
        .collect()
}

/// The rooms of a function with a large `b` that is kept over the turns of a loop.
fn rooms_with(more: &str) -> Vec<String> {
    rooms_of(&format!(
        "async fn f(n: u32) {{ let mut b: [u8; 64] = [0; 64]; while n > 0 {{ g().await; {more} }} b[0]; }}"
    ))
}

#[test]
fn large_array_over_turns_stays_in_its_place() {
    assert_eq!(rooms_with(""), ["b"]);
    assert_eq!(
        rooms_with("f(&mut b, b[1]); b[2] += 1; let c = b; println!(\"{b:?} {}\", b[3]);"),
        ["b"]
    );
    assert_eq!(rooms_with("poll_fn(|cx| r.poll(cx, &mut b)).await;"), ["b"]);
}

#[test]
fn array_of_unknown_length_is_taken_for_large() {
    let source = |ty: &str| {
        format!("async fn f<const N: usize>() {{ let b: {ty} = h(); loop {{ g().await; b[0]; }} }}")
    };
    for ty in [
        "[u8; N]",
        "[u64; SIZE]",
        "[[u8; 8]; 8]",
        "[u128; 4]",
        "[[f32; N]; 2]",
    ] {
        assert_eq!(rooms_of(&source(ty)), ["b"], "{ty}");
    }
    for ty in [
        "[u8; 63]",
        "[T; N]",
        "[String; 64]",
        "[[u8; 7]; 9]",
        "[&'a u8; 64]",
        "Big",
    ] {
        assert!(rooms_of(&source(ty)).is_empty(), "{ty}");
    }
}

#[test]
fn local_is_in_its_place_where_it_is_said_to_be() {
    let source = "async fn f(#[in_place] a: Big, c: Big) { #[in_place] let b: Big = new(); loop { g(c.x).await; a.x; b.x; } }";
    assert_eq!(rooms_of(source), ["a", "b in a"]);
    let moved =
        "async fn f(#[in_place] a: Big) { loop { g().await; a.x; if h() { k(a); return } } }";
    assert!(rooms_of(moved).is_empty());
    let opened = "async fn f(#[in_place] a: Big) { loop { g().await; let Big { x, .. } = a; } }";
    assert!(rooms_of(opened).is_empty());
}

#[test]
fn what_needs_the_local_itself_moves_it() {
    for more in [
        "k(move || b[0]);",
        "spawn(async { b[0] });",
        "println!(\"{}\", b; 1);",
    ] {
        assert!(rooms_with(more).is_empty(), "{more}");
    }
    let later = "async fn f() { let b: [u8; 64]; b = h(); loop { g().await; b[0]; } }";
    assert!(rooms_of(later).is_empty());
}

#[test]
fn local_kept_once_is_moved() {
    let once = "async fn f() { let b: [u8; 64] = h(); g().await; b[0]; k().await; }";
    assert!(rooms_of(once).is_empty());
    let anew = "async fn f() { loop { let b: [u8; 64] = h(); g().await; b[0]; } }";
    assert!(rooms_of(anew).is_empty());
    let twice = "async fn f() { let b: [u8; 64] = h(); g().await; k().await; b[0]; }";
    assert_eq!(rooms_of(twice), ["b"]);
}

#[test]
fn value_assigned_to_a_local_in_its_place_is_no_end_of_it() {
    assert_eq!(rooms_with("b = h(); k().await;"), ["b"]);
    let lines = body("let mut b: [u8; 64] = h(); loop { g().await; b = h(); k().await; b[0]; }");
    assert_eq!(lines[1], "G { ~a, b } -> K");
}

#[test]
fn local_whose_values_nobody_waits_with_needs_no_room() {
    let source =
        "async fn f<T>(t: T) { let mut b: [u8; 64] = h(); g().await; k().await; b = h(); b[0]; }";
    assert!(rooms_of(source).is_empty());
}

#[test]
fn rooms_nest_as_the_scopes_do() {
    let nested = rooms_with("let mut c: [u8; 96] = h(); loop { k().await; if c[b[0]] { break } }");
    assert_eq!(nested, ["b", "c in b"]);
    let apart = "async fn f(n: u64) { { let b: [u8; 64] = h(); loop { g().await; if b[0] { break } } } let c: [u8; 64] = h(); loop { k().await; c[0]; } }";
    assert_eq!(rooms_of(apart), ["b", "c"]);
}

#[test]
fn of_two_that_overlap_the_smaller_moves() {
    let overlap = |b: u32, c: u32| {
        rooms_of(&format!(
            "async fn f() {{ let b: [u8; {b}] = h(); let c: [u8; {c}] = h(); \
             loop {{ g().await; if b[c[0]] {{ break }} }} loop {{ k().await; c[0]; }} }}"
        ))
    };
    assert_eq!(overlap(64, 72), ["c"]);
    assert_eq!(overlap(72, 64), ["b"]);
    // It is still used when the other comes, though they are in no state together.
    let meets = "async fn f(n: u64) { let b: [u8; 64] = h(); loop { g().await; if b[0] { break } } let c: [u8; 72] = h(); k(b[0]); loop { g().await; c[0]; } }";
    assert_eq!(rooms_of(meets), ["c"]);
}

#[test]
fn room_that_could_cost_more_than_the_compiler_wastes_is_not_made() {
    let one = |arguments: &str, ty: &str| {
        rooms_of(&format!(
            "async fn f({arguments}) {{ let b: {ty} = h(); loop {{ g().await; b[0]; }} }}"
        ))
    };
    assert!(one("", "[u8; 65]").is_empty());
    assert!(one("", "[u8; SIZE]").is_empty());
    assert_eq!(one("", "[u8; 72]"), ["b"]);
    assert_eq!(one("n: u64", "[u8; SIZE]"), ["b"]);
    assert_eq!(one("lent: &mut [u8], m: u32", "[u8; 65]"), ["b"]);
    let apart = "async fn f() { { let b: [u8; 64] = h(); loop { g().await; if b[0] { break } } } let c: [u8; 72] = h(); loop { k().await; c[0]; } }";
    assert_eq!(rooms_of(apart), ["c"]);
}

#[test]
fn large_argument_that_every_state_keeps_is_beside_the_states() {
    let one = |arguments: &str| beside(&format!("async fn f({arguments}) {{ g().await; b[0]; }}"));
    assert_eq!(one("b: [u8; 64]"), ["b"]);
    assert_eq!(one("b: [u8; 64], other: String"), ["b"]);
    // What comes behind it may have to be aligned.
    assert!(one("b: [u8; 65]").is_empty());
    assert!(one("b: [u8; SIZE]").is_empty());
    assert!(one("b: [String; 64]").is_empty());
    assert!(beside("async fn f(b: [u8; 64]) { g().await; b[0]; k().await; }").is_empty());
}

#[test]
fn small_locals_that_every_state_keeps_are_beside_the_states_of_a_loop() {
    let source = |arguments: &str, more: &str| {
        format!(
            "async fn f({arguments}) {{ let mut sum: u64 = 0; let mut at: u64 = 0; \
             while at < n {{ g().await; k().await; {more} at += 1; }} sum; }}"
        )
    };
    assert_eq!(beside(&source("n: u64", "")), ["n", "sum", "at"]);
    assert_eq!(
        beside(&source("n: usize", "").replace("at: u64", "at: usize")),
        ["n", "sum", "at"]
    );
    assert!(beside(&source("n: u32", "")).is_empty());
    // Another argument would lie behind them in `Start`, and nowhere else.
    assert!(beside(&source("n: u64, name: String", "drop(name);")).is_empty());
    // The compiler's future has nothing twice.
    assert!(beside(&source("n: &u64", "")).is_empty());
    let once = "async fn f(n: u64) { let mut at: u64 = 0; while at < n { g().await; at += 1; } }";
    assert!(beside(once).is_empty());
    let array = "async fn f(n: u64) { let b: [u8; 16] = h(); while n > 0 { g().await; k().await; i().await; b[0]; } }";
    assert!(beside(array).is_empty());
}
