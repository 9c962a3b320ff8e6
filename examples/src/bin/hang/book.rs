//! Writes the output of each fault into the book's pages: `hang --write`.
//!
//! Each block ```` ```text ```` after a command `cargo run -p examples --bin hang -- FAULT` is
//! replaced. Tasks of the traffic are left out, and paths are shortened to `src/`.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

const COMMAND: &str = "cargo run -p examples --bin hang -- ";
const BLOCK: &str = "```text\n";

/// Rewrites all pages of the book on hangs.
pub(crate) fn write() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src/hangs");
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let page = fs::read_to_string(&path)?;
        fs::write(&path, rewrite(&page, output_of)?)?;
    }
    Ok(())
}

/// Returns the page with new outputs.
fn rewrite(
    page: &str,
    output_of: impl Fn(&str) -> Result<String, Box<dyn Error>>,
) -> Result<String, Box<dyn Error>> {
    let mut parts = page.split(COMMAND);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (fault, rest) = part.split_once('\n').ok_or("the command has no end")?;
        let (before, block) = rest.split_once(BLOCK).ok_or("the command has no output")?;
        let (_, after) = block.split_once("```\n").ok_or("the output has no end")?;
        let output = output_of(fault)?;
        text += &format!("{COMMAND}{fault}\n{before}{BLOCK}{output}```\n{after}");
    }
    Ok(text)
}

/// Runs the fault in a process of its own.
fn output_of(fault: &str) -> Result<String, Box<dyn Error>> {
    let output = Command::new(env::current_exe()?).arg(fault).output()?;
    let text = String::from_utf8(output.stdout)?;
    let lines = text.lines().filter(|line| is_about_the_fault(line));
    Ok(lines.fold(String::new(), |text, line| text + &short(line) + "\n"))
}

/// Returns `true` for lines that are not titles, sums or groups of the traffic.
fn is_about_the_fault(line: &str) -> bool {
    let is_sum = line.ends_with(" tasks") || line.ends_with(" task");
    !line.is_empty() && !is_sum && !line.starts_with("== ") && !line.contains("hang/traffic.rs")
}

/// Returns the line with short paths and types.
fn short(line: &str) -> String {
    line.replace("examples/src/bin/hang/", "src/")
        .replace("examples/src/", "src/")
        .replace("alloc::vec::", "")
        .replace("alloc::string::", "")
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    #[test]
    fn blocks_of_commands_are_replaced() {
        let page =
            "```sh\ncargo run -p examples --bin hang -- leak\n```\n\n```text\nold\n```\nend\n";
        let new = rewrite(page, |fault| Ok(format!("new {fault}\n"))).unwrap();
        assert_eq!(new, page.replace("old", "new leak"));
    }
}
