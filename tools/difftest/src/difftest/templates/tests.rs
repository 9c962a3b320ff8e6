//! The generator is deterministic, writes valid Rust, and covers all syntax of function bodies.

use super::family;

mod nodes;

fn text(seed: u64, index: u64) -> String {
    let family = family(seed, index);
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
    for index in 0..300 {
        for function in family(3, index) {
            for machine in [false, true] {
                let items = function.items(machine, "#[machine]\n");
                assert!(syn::parse_str::<syn::File>(&items).is_ok(), "{items}");
            }
        }
    }
}

#[test]
fn hidden_function_does_not_await_itself() {
    let mut hidden = 0;
    for index in 0..400 {
        for function in family(950_001, index) {
            let (name, source) = (&function.name, function.to_string());
            if source.contains(&format!("{name}: fn(u32)")) {
                hidden += 1;
                let mut lines = source.lines().map(str::trim_start);
                let is_own =
                    |line: &str| line.contains("more(") && line.contains(&format!("{name}("));
                assert!(
                    !lines.any(|line| line.starts_with("if ") && is_own(line)),
                    "{source}"
                );
            }
        }
    }
    assert!(hidden > 0, "no function has an argument of its name");
}

#[test]
fn two_functions_await_each_other() {
    let mut found = 0;
    for index in 0..200 {
        let family = family(950_004, index);
        let awaits = |from: usize, to: usize| {
            let (source, name) = (&family[from].source, &family[to].name);
            let mut lines = source.lines().filter(|line| line.contains("more("));
            lines.any(|line| line.contains(&format!("{name}(")))
        };
        let pairs = (0..4).flat_map(|first| (0..first).map(move |second| (first, second)));
        let mut pairs = pairs.filter(|(first, second)| awaits(*first, *second));
        found += usize::from(pairs.any(|(first, second)| awaits(second, first)));
        let text: String = family.iter().map(ToString::to_string).collect();
        assert!(!text.contains("awaits_later"), "{text}");
    }
    assert!(found > 5, "{found}");
}

#[test]
fn recursive_method_calls_another_of_its_name() {
    let mut found = [0; 4];
    for index in 0..400 {
        for function in family(950_002, index) {
            let source = function.to_string();
            for (count, name) in found.iter_mut().zip(["collect", "into", "sum", "get"]) {
                let is_own = function.name == name && source.contains("if more(");
                *count += usize::from(is_own && source.contains(&format!(".{name}")));
            }
        }
    }
    assert!(found.iter().all(|count| *count > 0), "{found:?}");
}

#[test]
fn pattern_names_an_item_of_a_macro() {
    let texts: String = (0..200).map(|index| text(950_003, index)).collect();
    assert!(texts.contains("shapes_f2! { Shape_f2, limit_f2; circle_f2, square_f2 }"));
    assert!(texts.contains("if let Some(circle_f"));
    assert!(texts.contains("{ (limit_f"));
}

#[test]
fn awaited_method_moves_a_part() {
    let texts: String = (0..300).map(|index| text(950_005, index)).collect();
    let parts = [".1.closed(", ".d.closed_beside("];
    let own_parts = ["self.d.closed(", "self.d.closed_beside("];
    for part in parts.iter().chain(&own_parts) {
        assert!(texts.contains(part), "{part}");
    }
}

#[test]
fn method_of_the_prelude_is_not_found_first() {
    let texts: String = (0..400).map(|index| text(950_006, index)).collect();
    let methods = texts.lines().filter(|line| line.contains("{ struct x"));
    let methods: Vec<&str> = methods.filter(|line| line.contains(" async fn ")).collect();
    assert!(!methods.is_empty());
    assert!(methods.iter().all(|line| line.contains("(self) -> u32")));
}
