//! The output of the example.

use std::process::Command;

fn said() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_middleware"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    // No forgotten waker is reported, either.
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_order_ends_as_its_mood_is() {
    let said = said();
    for outcome in [
        "soup             1  served: soup",
        "souffle          3  served: souffle",
        "tripe            0  refused: there is no tripe today",
        "crab             3  given up: the crab is burnt",
        "stew             3  given up: no answer within 20ms",
        "                 0  refused at once: nothing was ordered",
    ] {
        assert!(said.contains(outcome), "{outcome}\n{said}");
    }
    assert!(said.contains("of 3 allowed"), "{said}");
    assert!(said.contains("in InTime at await answer"), "{said}");
    assert!(said.contains("stateDiagram-v2"), "{said}");
}

#[test]
fn machines_are_no_larger_than_the_compilers_futures() {
    let said = said();
    let sizes = said.split("Sizes in bytes").nth(1).expect("the sizes");
    let rows: Vec<_> = sizes.lines().skip(2).take(6).collect();
    for row in &rows {
        let sizes: Vec<usize> = row
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        assert!(
            matches!(sizes[..], [machine, compilers] if machine <= compilers),
            "{row}"
        );
    }
    assert_eq!(rows.len(), 6);
}
