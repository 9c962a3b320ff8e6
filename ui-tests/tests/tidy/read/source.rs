//! The files of a workspace, and the violations in them.

use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::prose::{self, Line, Paragraph};
use crate::quoted::quoted;
use crate::reading::Reading;

/// Folders without files of the project, besides the build folders of cargo.
const SKIPPED: [&str; 3] = ["wip", "book/book", "ui-tests/wip"];

/// Kinds of file that are read.
const READ: [&str; 5] = ["rs", "toml", "md", "run", "stderr"];

/// Folders whose packages count as crates of their own.
const GROUPS: [&str; 3] = ["adapters", "integration", "tools"];

/// One file: its path from the workspace's root, its text, and its code as read.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) reading: Reading,
    lines: OnceLock<Vec<Line>>,
    paragraphs: OnceLock<Vec<Paragraph>>,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        let reading = if path.ends_with(".rs") {
            Reading::of(text)
        } else {
            Reading {
                attributes: quoted(text, 1),
                ..Reading::default()
            }
        };
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            reading,
            lines: OnceLock::new(),
            paragraphs: OnceLock::new(),
        }
    }

    /// Returns the crate of the file.
    pub(crate) fn package(&self) -> &str {
        package_of(&self.path)
    }

    /// Returns the lines of comments, or of a page.
    pub(crate) fn lines(&self) -> &[Line] {
        self.lines
            .get_or_init(|| prose::lines(&self.path, &self.text))
    }

    /// Returns the prose of the file.
    pub(crate) fn paragraphs(&self) -> &[Paragraph] {
        self.paragraphs
            .get_or_init(|| prose::paragraphs(self.lines()))
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Returns `true` for a program that trybuild compiles. The macro has to reject or accept it.
    pub(crate) fn is_ui_case(&self) -> bool {
        let folders = ["ui-tests/tests/pass/", "ui-tests/tests/refuse/"];
        folders.iter().any(|folder| self.path.starts_with(folder))
    }

    pub(crate) fn numbered_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.split('\n'))
    }

    pub(crate) fn violation(&self, line: usize, rule: &'static str, said: String) -> Violation {
        Violation {
            path: self.path.clone(),
            line,
            rule,
            said,
        }
    }
}

/// Returns the crate of a file, as the path of its folder, and `.` for files at the top.
pub(crate) fn package_of(path: &str) -> &str {
    let mut slashes = path.match_indices('/').map(|(at, _)| at);
    let Some(first) = slashes.next() else {
        return ".";
    };
    let is_grouped = GROUPS.contains(&&path[..first]);
    let end = slashes.next().filter(|_| is_grouped).unwrap_or(first);
    &path[..end]
}

/// All files of a workspace, sorted by path.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) sources: Vec<Source>,
}

impl Workspace {
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let mut sources: Vec<Source> = files
            .iter()
            .map(|(path, text)| Source::new(path, text))
            .collect();
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        Self { sources }
    }

    pub(crate) fn on_disk(root: &Path) -> Self {
        let mut files = Vec::new();
        collect(root, "", &mut files);
        let borrowed: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        Self::of(&borrowed)
    }

    pub(crate) fn source(&self, path: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.path == path)
    }
}

fn collect(root: &Path, folder: &str, files: &mut Vec<(String, String)>) {
    let entries = fs::read_dir(root.join(folder)).expect("the workspace can be read");
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() {
            name.clone()
        } else {
            format!("{folder}/{name}")
        };
        let is_built = name == "target";
        if is_built || SKIPPED.contains(&path.as_str()) || (name.starts_with('.') && name != ".ci")
        {
            continue;
        }
        if entry.path().is_dir() {
            collect(root, &path, files);
        } else if READ.contains(&name.rsplit('.').next().unwrap_or_default()) {
            let text = fs::read_to_string(entry.path()).expect("our files are UTF-8");
            files.push((path, text));
        }
    }
}

/// One fault: where it is, which rule it breaks, and what to do instead.
#[derive(Debug)]
pub(crate) struct Violation {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) rule: &'static str,
    pub(crate) said: String,
}

impl Violation {
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.path, self.line)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: [{}] {}", self.place(), self.rule, self.said)
    }
}
