//! The generator repeats itself, and what it writes is what the macro takes.

use super::{ATTRIBUTE, Switches, family};

#[test]
fn same_seed_gives_same_source() {
    for index in 0..50 {
        let [once, again] = [(); 2].map(|()| family(7, index, &Switches::default()));
        assert_eq!(once.source, again.source);
        assert_eq!(once.calls, again.calls);
    }
}

#[test]
fn other_seed_gives_other_source() {
    let [one, two] = [1, 2].map(|seed| family(seed, 0, &Switches::default()));
    assert_ne!(one.source, two.source);
}

#[test]
fn every_function_parses() {
    for index in 0..200 {
        let family = family(3, index, &Switches::default());
        for source in family.source.split(ATTRIBUTE).skip(1) {
            let parsed = syn::parse_str::<syn::ItemFn>(source);
            assert!(parsed.is_ok(), "{source}");
        }
    }
}

#[test]
fn most_functions_await() {
    let sources = (0..50).map(|index| family(5, index, &Switches::default()).source);
    let functions: Vec<String> = sources
        .flat_map(|source| {
            let functions = source.split(ATTRIBUTE).skip(1);
            functions.map(ToOwned::to_owned).collect::<Vec<_>>()
        })
        .collect();
    let awaiting = functions.iter().filter(|source| source.contains(".await"));
    assert!(awaiting.count() * 10 > functions.len() * 8);
}
