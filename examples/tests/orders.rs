//! Orders end once although their workers are killed at random.

use std::path::Path;
use std::process::Command;

#[test]
fn killed_workers_lose_no_order() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("orders-{}.db", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_orders"))
        .arg("run")
        .arg(&file)
        .arg("20")
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.starts_with("20 orders ended once"), "{text}");
    let (_, killed) = text.split_once('\n').expect("a second line");
    let kills = killed
        .split(' ')
        .next()
        .and_then(|kills| kills.parse::<u32>().ok());
    assert!(kills.is_some_and(|kills| kills > 0), "{text}");
}
