//! Every program has a help text, and rejects unknown options.

use std::process::{Command, Output};

const PROGRAMS: [(&str, &str); 6] = [
    ("hang", env!("CARGO_BIN_EXE_hang")),
    ("middleware", env!("CARGO_BIN_EXE_middleware")),
    ("mirror", env!("CARGO_BIN_EXE_mirror")),
    ("serve", env!("CARGO_BIN_EXE_serve")),
    ("sizes", env!("CARGO_BIN_EXE_sizes")),
    ("stress", env!("CARGO_BIN_EXE_stress")),
];

fn run(program: &str, argument: &str) -> Output {
    Command::new(program)
        .arg(argument)
        .output()
        .expect("it starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn help_is_printed_and_nothing_is_done() {
    for (name, program) in PROGRAMS {
        let output = run(program, "--help");
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{name}: {said}");
        assert!(said.contains(&format!("\nUsage: {name}")), "{said}");
        assert!(said.contains("-h, --help"), "{said}");
        assert_eq!(text(&run(program, "-h").stdout), said);
    }
}

#[test]
fn unknown_option_error_names_option_and_help() {
    for (name, program) in PROGRAMS {
        let output = run(program, "--hlep");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        for told in [
            "--hlep",
            &format!("Usage: {name}"),
            &format!("{name} --help"),
        ] {
            assert!(said.contains(told), "{told} in {said}");
        }
        assert!(output.stdout.is_empty(), "{name} did something");
    }
}
