//! The generator is deterministic, and the macro accepts its functions.

use super::{Switches, family};

mod productions;

fn text(seed: u64, index: u64) -> String {
    let family = family(seed, index, &Switches::default());
    family.iter().map(ToString::to_string).collect()
}

#[test]
fn same_seed_gives_same_source() {
    for index in 0..50 {
        assert_eq!(text(7, index), text(7, index));
    }
}

#[test]
fn other_seed_gives_other_source() {
    assert_ne!(text(1, 0), text(2, 0));
}

#[test]
fn every_function_parses() {
    for index in 0..200 {
        for function in family(3, index, &Switches::default()) {
            for machine in [false, true] {
                let items = function.items(machine, "#[machine]\n");
                assert!(syn::parse_str::<syn::File>(&items).is_ok(), "{items}");
            }
        }
    }
}

#[test]
fn most_functions_await() {
    let families = (0..50).map(|index| family(5, index, &Switches::default()));
    let functions: Vec<_> = families.flatten().collect();
    let awaiting = functions
        .iter()
        .filter(|function| function.source.contains(".await"));
    assert!(awaiting.count() * 10 > functions.len() * 8);
}
