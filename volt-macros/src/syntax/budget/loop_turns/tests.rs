//! The places of turns.

use super::*;

fn with_turns(mut body: Block) -> String {
    add_turns(&mut body, TurnPlace::Body, &syn::parse_quote!(volt));
    body.to_token_stream().to_string()
}

#[test]
fn turn_is_at_the_head_of_the_loop() {
    let found = with_turns(syn::parse_quote!({
        while more() {
            let part = next();
            assert!(send(&part).await);
            if part.is_last() {
                assert!(end().await);
            }
        }
    }));
    let head = "{ loop { volt :: __private :: loop_turn (\"assert!\") . await ; if more () {";
    assert!(found.starts_with(head), "{found}");
    assert_eq!(found.matches("loop_turn").count(), 1, "{found}");
}

#[test]
fn turn_follows_a_macro_beside_a_jump() {
    let found = with_turns(syn::parse_quote!({
        loop {
            assert!(send().await);
            if is_last() {
                return;
            }
        }
    }));
    let turn = ". await) ; volt :: __private :: loop_turn (\"assert!\") . await ; if is_last";
    assert!(found.contains(turn), "{found}");
}

#[test]
fn turn_follows_a_macro_of_an_assigned_local() {
    let found = with_turns(syn::parse_quote!({
        loop {
            assert!(send(part).await);
            part = next();
        }
    }));
    let turn = ". await) ; volt :: __private :: loop_turn (\"assert!\") . await ; part =";
    assert!(found.contains(turn), "{found}");
}

#[test]
fn await_before_a_continue_makes_turns_unneeded() {
    let found = with_turns(syn::parse_quote!({
        while more() {
            tick().await;
            if is_empty() {
                continue;
            }
            assert!(send().await);
        }
    }));
    assert!(!found.contains("loop_turn"), "{found}");
}

#[test]
fn await_after_a_continue_does_not_replace_the_turn() {
    let found = with_turns(syn::parse_quote!({
        while more() {
            assert!(send().await);
            if is_empty() {
                continue;
            }
            tick().await;
        }
    }));
    assert_eq!(found.matches("loop_turn").count(), 1, "{found}");
}
