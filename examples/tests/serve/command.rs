//! Whole runs, from the command line.

use std::fs;
use std::net::TcpListener;
use std::process::Stdio;

use crate::process::{folder, run, serve, text};

#[test]
fn book_is_served_when_nothing_is_named() {
    let output = run(&["--clients", "8", "--requests", "20", "--workers", "2"]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.contains("/SUMMARY.md"), "{said}");
    assert!(said.contains("all 160 responses arrived"), "{said}");
    assert!(
        said.contains("answered: HTTP/1.1 400 Bad Request"),
        "{said}"
    );
    assert!(
        said.contains("hung up in the middle of a request"),
        "{said}"
    );
    assert!(said.contains("cancelled with the group"), "{said}");
    assert!(said.contains("the silent client saw the end"), "{said}");
    assert!(said.contains("stateDiagram-v2"), "{said}");
}

#[test]
fn positions_name_machine_state_and_line() {
    let output = run(&["--clients", "16", "--requests", "50"]);
    let said = text(&output.stdout);
    assert!(said.contains("StaySilent at await"), "{said}");
    assert!(said.contains("rude.rs:"), "{said}");
    assert!(said.contains("Serve at await timeout"), "{said}");
    assert!(said.contains("in ReadRequest at await"), "{said}");
    assert!(!said.contains("Child"), "{said}");
}

#[test]
fn machines_are_no_larger_than_the_compilers_futures() {
    let said = text(&run(&["--clients", "1", "--requests", "1"]).stdout);
    let sizes = said.split("Sizes in bytes").nth(1).expect("the sizes");
    let mut rows = 0;
    // A generic machine does not know the compiler's future.
    let lines = sizes.lines().skip(2).take_while(|line| !line.is_empty());
    for line in lines.filter(|line| !line.ends_with('?')) {
        let sizes = line.split_whitespace().skip(1);
        let mut sizes = sizes.map(|size| size.parse::<usize>().expect("a size"));
        assert!(sizes.next() <= sizes.next(), "{line}");
        rows += 1;
    }
    assert!(rows >= 5, "{said}");
}

#[test]
fn files_of_all_kinds_arrive_as_they_are() {
    let folder = folder("kinds");
    fs::write(folder.join("empty"), b"").unwrap();
    fs::write(folder.join("one"), b"\0").unwrap();
    let large: Vec<u8> = (0..3_000_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    fs::write(folder.join("large"), large).unwrap();
    fs::write(folder.join("with space & ünïcode%"), "ok\r\n\r\nnot a head").unwrap();
    fs::create_dir_all(folder.join("deep/er")).unwrap();
    fs::write(folder.join("deep/er/file"), "down here").unwrap();
    let output = run(&[
        "--clients",
        "5",
        "--requests",
        "10",
        folder.to_str().unwrap(),
    ]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(
        said.contains("5 files") && said.contains("/deep/er/file"),
        "{said}"
    );
    assert!(said.contains("all 50 responses arrived"), "{said}");
}

#[test]
fn missing_file_is_named() {
    let output = run(&["/no/such/file"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("cannot serve /no/such/file") && said.contains("No such file"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn forbidden_file_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let file = folder("forbidden").join("secret");
    fs::write(&file, "secret").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    let output = run(&["--clients", "1", "--requests", "1", file.to_str().unwrap()]);
    if fs::read(&file).is_ok() {
        eprintln!("SKIPPED: this user may read everything");
        return;
    }
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("Permission denied") && said.contains("secret"),
        "{said}"
    );
}

#[test]
fn empty_folder_is_refused() {
    let output = run(&[folder("empty").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no file to serve"));
}

#[test]
fn port_in_use_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let output = run(&["--port", &address.port().to_string()]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains(&address.to_string()) && said.contains("in use"),
        "{said}"
    );
}

#[test]
fn unknown_option_shows_the_usage() {
    let output = run(&["--clinets", "3"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("--clinets") && said.contains("Usage:"),
        "{said}"
    );
    assert!(text(&run(&["--help"]).stdout).contains("Usage:"));
}

#[test]
fn option_without_a_sensible_number_is_named() {
    for option in [
        "--clients",
        "--requests",
        "--workers",
        "--connections",
        "--patience",
        "--deadline",
    ] {
        for value in ["0", "abc", "-1"] {
            let output = run(&[&format!("{option}={value}")]);
            assert_eq!(output.status.code(), Some(2), "{option} {value}");
            let said = text(&output.stderr);
            assert!(
                said.contains(option) && said.contains("from 1 on"),
                "{said}"
            );
        }
    }
}

#[test]
fn files_of_one_address_are_refused_by_name() {
    let folder = folder("twice");
    for side in ["left", "right"] {
        fs::create_dir_all(folder.join(side)).unwrap();
        fs::write(folder.join(side).join("same"), side).unwrap();
    }
    let (left, right) = (folder.join("left"), folder.join("right"));
    let output = run(&[left.to_str().unwrap(), right.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("right/same") && said.contains("left/same"),
        "{said}"
    );
}

#[test]
fn early_end_of_output_reader_is_no_error() {
    let mut command = serve();
    command.args(["--clients", "2", "--requests", "2"]);
    let mut process = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(text(&output.stderr), "");
}
