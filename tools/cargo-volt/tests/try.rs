//! `cargo volt try` on small projects, with a stand-in for volt and with volt itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const STAND_IN: &str = include_str!("texts/stand_in.rs");
const PROJECT: &str = include_str!("texts/project.rs");

const TOOLCHAIN: &str = "rust-toolchain.toml";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder in that of the tests, as an earlier run may have left it.
fn lasting_folder(name: &str) -> PathBuf {
    let folders = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cargo-volt");
    folders.join(name)
}

/// A fresh folder in that of the tests.
fn folder(name: &str) -> PathBuf {
    let folder = lasting_folder(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the old one is removed");
    }
    fs::create_dir_all(&folder).expect("it is made");
    folder
}

/// A package of its own with one source file.
fn package(folder: &Path, name: &str, library: &str, text: &str) {
    let manifest = format!(
        "[package]\nname = {name:?}\nversion = \"1.0.0\"\nedition = \"2024\"\n\n[lib]\n{library}\n\n[workspace]\n"
    );
    fs::create_dir_all(folder.join("src")).expect("a folder");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::write(folder.join("src/lib.rs"), text).expect("a source");
}

fn cargo_volt(folder: &Path, subcommand: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-volt"));
    let json = format!("--json={}", folder.join("data.json").display());
    command
        .args(["volt", subcommand, "--offline", &json, "--work"])
        .arg(folder.join("work"))
        .args(arguments);
    command.output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn data(folder: &Path, output: &Output) -> Value {
    let said = text(&output.stderr);
    let data = fs::read_to_string(folder.join("data.json")).unwrap_or_else(|_| panic!("{said}"));
    serde_json::from_str(&data).expect("it is JSON")
}

/// `name fate` of each function.
fn fates(data: &Value) -> Vec<String> {
    let functions = data["functions"].as_array().expect("functions").iter();
    let fates = functions.map(|one| {
        let word = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
        format!("{} {}", word("name"), word("outcome"))
    });
    fates.collect()
}

fn functions<'a>(data: &'a Value, key: &'a str) -> impl Iterator<Item = &'a Value> {
    let functions = data["functions"].as_array().expect("functions");
    functions.iter().map(move |one| &one[key])
}

/// Judges `source` by the stand-in.
fn judged(name: &str, source: &str, arguments: &[&str]) -> (PathBuf, Output) {
    let folder = folder(name);
    package(
        &folder.join("stand-in/volt"),
        "volt-async",
        "name = \"volt\"\nproc-macro = true",
        STAND_IN,
    );
    // The stand-in has no features, which the command requires.
    let manifest = folder.join("stand-in/volt/Cargo.toml");
    let whole = fs::read_to_string(&manifest).expect("a manifest") + "\n[features]\nstd = []\n";
    fs::write(&manifest, whole).expect("a manifest");
    let project = folder.join("project");
    package(&project, "project", "", source);
    let volt = folder.join("stand-in");
    fs::copy(repository().join(TOOLCHAIN), volt.join(TOOLCHAIN)).expect("a toolchain");
    let (volt, project) = (volt.display().to_string(), project.display().to_string());
    let mut all = vec!["--volt", &volt, &project];
    all.extend(arguments);
    let output = cargo_volt(&folder, "try", &all);
    (folder, output)
}

#[test]
fn every_function_has_an_outcome_and_tests_compare() {
    let (folder, output) = judged("fates", PROJECT, &[]);
    let data = data(&folder, &output);
    let expected = [
        "plain explicit",
        "refused_free refused",
        "native_free native",
        "inner_free refused",
        "hidden not built",
        "Conn::read explicit",
        "Conn::refused_write refused",
        "Conn::unplaced_flush refused",
        "Conn::boxed_close native boxed",
        "Conn::shut explicit",
        "in_items explicit",
        "of_tests explicit",
    ];
    assert_eq!(fates(&data), expected);
    let native: Vec<_> = functions(&data, "native_option").collect();
    assert_eq!(native.iter().filter(|native| **native == true).count(), 1);
    assert_eq!(data["tests"]["before"]["passed"], 3);
    assert_eq!(data["tests"]["after"]["passed"], 2);
    let worse = data["tests"]["worse"].as_array().expect("tests");
    assert_eq!(worse.len(), 1);
    assert!(
        worse[0]
            .as_str()
            .is_some_and(|test| test.ends_with("tests::file_is_as_written"))
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn reasons_are_grouped_with_an_example_each() {
    let source = "async fn refused_a() {}\nasync fn refused_b() {}\nasync fn native_c() {}\n";
    let (_, output) = judged("reasons", source, &["--reasons", "--no-tests"]);
    let page = text(&output.stdout);
    let expected = "   2  refused        this cannot be `_`
                     for example src/lib.rs:1 refused_a
   1  native         because of `_`
                     for example src/lib.rs:3 native_c
";
    assert!(page.ends_with(expected), "{page}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn check_alone_judges_too() {
    let source = "async fn refused_a() {}\npub async fn b() {}\n";
    let (folder, output) = judged("checked", source, &["--check"]);
    let data = data(&folder, &output);
    assert_eq!(fates(&data), ["refused_a refused", "b explicit"]);
    assert!(data["tests"].is_null());
}

#[test]
fn word_native_is_withheld_on_request() {
    let source = "async fn native_a() {}\n";
    let (folder, output) = judged("withheld", source, &["--native", "never"]);
    assert_eq!(fates(&data(&folder, &output)), ["native_a refused"]);
}

#[test]
fn word_native_stands_everywhere_on_request() {
    let source = "async fn native_a() {}\n";
    let (folder, output) = judged("everywhere", source, &["--native", "always"]);
    let data = data(&folder, &output);
    assert_eq!(fates(&data), ["native_a native"]);
    assert_eq!(data["builds"], 2);
}

#[test]
fn search_limit_removes_the_whole_group() {
    let source = "pub struct A;\nimpl A { pub async fn unplaced_a() {} pub async fn b() {} }\n";
    let (folder, output) = judged("hurried", source, &["--rounds", "2"]);
    let data = data(&folder, &output);
    assert_eq!(fates(&data), ["A::unplaced_a refused", "A::b refused"]);
    assert_eq!(data["builds"], 3);
}

#[test]
fn broken_project_is_reported_with_its_error() {
    let (_, output) = judged("broken", "async fn f() {}\nconst A: u8 = 'x';\n", &[]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("project: it does not build without the attribute:\n  src/lib.rs:2: E0308"),
        "{said}"
    );
}

#[test]
fn sources_alone_are_counted_and_stay() {
    let (folder, output) = judged("counted", PROJECT, &["--until", "sources"]);
    let data = data(&folder, &output);
    assert!(
        fates(&data).iter().all(|fate| fate.ends_with(" found")),
        "{data}"
    );
    assert_eq!((fates(&data).len(), &data["builds"]), (12, &Value::from(0)));
    let source = fs::read_to_string(folder.join("project/src/lib.rs")).expect("it is there");
    assert_eq!(source, PROJECT);
}

#[test]
fn each_project_of_a_list_is_judged_at_its_commit() {
    let (folder, _) = judged(
        "listed",
        "async fn refused_a() {}\n",
        &["--until", "sources"],
    );
    let project = folder.join("project");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command
            .arg("-C")
            .arg(&project)
            .args(["-c", "user.name=a", "-c", "user.email=a@b.example"]);
        let output = command.args(arguments).output().expect("git starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).trim().to_owned()
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "one"]);
    let commit = git(&["rev-parse", "HEAD"]);
    fs::write(
        project.join("src/lib.rs"),
        "async fn a() {}\nasync fn b() {}\n",
    )
    .expect("a source");
    git(&["commit", "--quiet", "-am", "two"]);
    git(&["clone", "--quiet", "--bare", ".", "../bare/owner/name"]);
    let list =
        format!("# all\nowner/name {commit} --no-tests # one\nowner/none HEAD --until sources\n");
    fs::write(folder.join("list"), list).expect("a list");
    let volt = folder.join("stand-in").display().to_string();
    let (list, from) = (folder.join("list"), folder.join("bare"));
    let [list, from] = [list, from].map(|path| path.display().to_string());
    let output = cargo_volt(
        &folder,
        "corpus",
        &["--list", &list, "--from", &from, "--volt", &volt],
    );
    let data = data(&folder, &output);
    assert_eq!(fates(&data[0]), ["refused_a refused"]);
    assert_eq!(data[0]["commit"], commit.as_str());
    assert!(
        data[1]["error"]
            .as_str()
            .is_some_and(|error| error.contains("owner/none")),
        "{data}"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn wrong_command_line_is_reported() {
    let output = cargo_volt(&folder("wrong"), "try", &["--sede", "3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--sede"));
}

/// Runs a command on the copy with the attribute that `try` has left.
fn on_the_copy(folder: &Path, arguments: &[&str]) -> String {
    let work = folder.join("work/project");
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-volt"))
        .args(arguments)
        .arg("--offline")
        .current_dir(work.join("tree"))
        // The dependencies are compiled there.
        .env("CARGO_TARGET_DIR", work.join("target"))
        .output()
        .expect("the command starts");
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    text(&output.stdout)
}

#[test]
fn volt_itself_takes_a_function() {
    // The compiled macro is kept.
    let folder = lasting_folder("itself");
    let project = folder.join("project");
    let source = "pub async fn one() -> u8 { 1 }\npub async fn two() -> u8 { one().await + 1 }\n";
    package(&project, "project", "", source);
    let lock = "Cargo.lock";
    fs::copy(repository().join(lock), project.join(lock)).expect("the same versions");
    let output = cargo_volt(&folder, "try", &["--check", &project.display().to_string()]);
    let expected = ["one explicit", "two explicit"];
    assert_eq!(fates(&data(&folder, &output)), expected);
    assert_eq!(output.status.code(), Some(0));
    let html = folder.join("sizes.html");
    let html_option = format!("--html={}", html.display());
    let sizes = on_the_copy(&folder, &["sizes", "--json", &html_option]);
    let sizes: Value = serde_json::from_str(&sizes).expect("it is JSON");
    assert_eq!(sizes["machines"][0]["name"], "Two");
    let state = &sizes["machines"][0]["states"][1];
    assert_eq!(
        (&state["name"], &state["line"]),
        (&"await one".into(), &2.into())
    );
    let one = &sizes["machines"][1];
    assert_eq!(
        (&one["name"], &state["future_size"]),
        (&"One".into(), &one["size"])
    );
    let page = fs::read_to_string(html).expect("a page");
    assert!(page.contains("<title>await one, "), "{page}");
    let code = on_the_copy(&folder, &["expand", "two"]);
    let head = "// two in src/lib.rs:2\n// layout: explicit\n\npub fn two() -> Two {";
    assert!(code.starts_with(head), "{code}");
    let names = on_the_copy(&folder, &["expand"]);
    assert!(
        names.contains("one       src/lib.rs:1  explicit"),
        "{names}"
    );
}
