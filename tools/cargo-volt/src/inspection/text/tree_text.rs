//! The tree of futures of a task, in the form of the text of a dump.

use anstyle::Style;

use crate::inspection::dump_data::{NodeData, TaskData};
use crate::terminal::{BAD, EMPHASIS, FAINT, styled};

/// Returns a line for each future of a task. An only child follows its parent, and others are
/// indented.
pub(in crate::inspection) fn tree(task: &TaskData) -> String {
    if task.tree.is_empty() {
        return format!("{}\n", styled(FAINT, unknown_tree(task)));
    }
    // The indentation of the children of each node, by its depth.
    let (mut indents, mut lines) = (Vec::new(), String::new());
    for node in &task.tree {
        indents.truncate(node.depth);
        let outer = indents.last().copied().unwrap_or(0);
        let indent = if node.index.is_some() {
            outer + 2
        } else {
            outer
        };
        indents.push(indent);
        lines.push_str(&" ".repeat(indent));
        lines.push_str(&line(node));
        lines.push('\n');
    }
    lines
}

/// Returns the reason for which a task has no tree.
fn unknown_tree(task: &TaskData) -> &'static str {
    if task.state == "r" {
        "The task is being polled, so its state cannot be read."
    } else {
        "The future reports no state: it is not a machine."
    }
}

fn line(node: &NodeData) -> String {
    let mut line = match node.index {
        Some(index) => styled(FAINT, &format!("[{index}] ")),
        None if node.depth > 0 => styled(FAINT, "in "),
        None => String::new(),
    };
    let is_over = matches!(node.status.as_str(), "done" | "gone");
    line.push_str(&styled(if is_over { FAINT } else { EMPHASIS }, &node.place));
    if node.status != "waiting" {
        let comma = if node.place.is_empty() { "" } else { ", " };
        let is_fault = matches!(node.status.as_str(), "woken" | "dormant");
        let style = if is_fault { BAD } else { Style::new() };
        line.push_str(comma);
        line.push_str(&styled(style, &node.status));
    }
    for (name, text) in &node.details {
        let separator = if name == "waits for" { " " } else { ": " };
        line.push_str(&format!(", {name}{separator}{text}"));
    }
    line
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::tree;
    use crate::inspection::dump_data::DumpData;

    fn text(tasks: &serde_json::Value) -> String {
        let value = json!({
            "columns": ["id", "state", "tree"],
            "places": [["Session", "await both", "b.rs", 52, 30], ["Race", "", "", 0, 0],
                ["Sleep", "", "", 0, 0], ["", "", "", 0, 0]],
            "tasks": tasks,
        });
        let data = DumpData::read(&value);
        anstream::adapter::strip_str(&tree(&data.tasks[0])).to_string()
    }

    #[test]
    fn tree_has_a_line_for_each_future() {
        let nodes = json!([
            [0, 0, null, ["user", "7"]],
            [1, 1],
            [2, 2, [0, "waiting"], ["waits for", "a timer in 2.5s"]],
            [2, 2, [1, "woken"]],
            [2, 3, [2, "done"]]
        ]);
        let expected = "Session at await both, b.rs:52, user: 7\nin Race\n  \
            [0] Sleep, waits for a timer in 2.5s\n  [1] Sleep, woken\n  [2] done\n";
        assert_eq!(text(&json!([["1.1", "i", nodes]])), expected);
    }

    #[test]
    fn missing_tree_has_a_reason() {
        assert!(text(&json!([["1.1", "r", []]])).contains("is being polled"));
        assert!(text(&json!([["1.1", "i", []]])).contains("it is not a machine"));
    }
}
