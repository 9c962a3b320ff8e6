//! Each answer is given to a new process, which continues the stored order.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Order {
    file: PathBuf,
}

impl Order {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let file = folder.join(format!("{name}-{}.json", std::process::id()));
        Self { file }
    }

    /// Runs one process, and returns its output, or the text of its error.
    fn run(&self, command: &str, words: &[&str]) -> Result<String, String> {
        let output = Command::new(env!("CARGO_BIN_EXE_saga"))
            .arg(command)
            .arg(&self.file)
            .args(words)
            .output()
            .expect("the program runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        if output.status.success() {
            Ok(text(output.stdout))
        } else {
            Err(text(output.stderr))
        }
    }

    fn start(&self, items: &[&str]) -> String {
        self.run("start", items).expect("a request")
    }

    fn answer(&self, answer: &str) -> String {
        self.run("answer", &[answer]).expect("an order")
    }

    fn stored(&self) -> String {
        fs::read_to_string(&self.file).expect("a snapshot")
    }
}

#[test]
fn accepted_order_is_shipped() {
    let order = Order::new("accepted");
    assert_eq!(order.start(&["pen", "paper"]), "request: reserve pen\n");
    assert_eq!(order.answer("ok"), "request: reserve paper\n");
    assert_eq!(
        order.stored(),
        r#"{"next_step":2,"snapshot":{"Reserving":{"await":null,"for":[],"item":"paper","refused":null,"reserved":["pen"]}}}"#
    );
    assert_eq!(order.answer("ok"), "request: charge for 2 items\n");
    assert_eq!(order.answer("ok"), "shipped pen and paper\n");
    assert!(!order.file.exists());
}

#[test]
fn refused_order_releases_its_items() {
    let order = Order::new("refused");
    order.start(&["pen", "paper"]);
    order.answer("ok");
    order.answer("ok");
    assert_eq!(order.answer("no card"), "request: release paper\n");
    let expected = "released paper: done\nrequest: release pen\n";
    assert_eq!(order.answer("done"), expected);
    let expected = "released pen: done\ncancelled, charge: no card\n";
    assert_eq!(order.answer("done"), expected);
    assert!(!order.file.exists());
}

#[test]
fn wrong_snapshot_stays_as_it_is() {
    let order = Order::new("wrong");
    let text = r#"{"next_step":0,"snapshot":{"Packing":{}}}"#;
    fs::write(&order.file, text).expect("written");
    let error = order.run("answer", &["ok"]).expect_err("no such state");
    assert!(error.contains("unknown variant `Packing`"), "{error}");
    assert_eq!(order.stored(), text);
    fs::remove_file(&order.file).expect("removed");
}

#[test]
fn request_is_sent_again_after_a_crash() {
    let order = Order::new("again");
    let text = r#"{"next_step":1,"snapshot":{"AskingForItem":{"reserved":[],"refused":null,"for":[],"item":"pen","await":0}}}"#;
    fs::write(&order.file, text).expect("written");
    let sent = order.run("answer", &["ok"]).expect("an order");
    assert_eq!(sent, "request: reserve pen\nrequest: charge for 1 items\n");
    fs::remove_file(&order.file).expect("removed");
}
