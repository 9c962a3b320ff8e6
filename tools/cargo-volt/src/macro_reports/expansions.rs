//! The code that the macro writes for each function.
//!
//! If the environment variable `VOLT_STATE_MACHINE_EXPANSIONS` names a file, the macro appends a
//! line to it for each function: its file, its line, its name, the code in place of the function,
//! and the items next to it. Tabs separate the fields, and the code is written as string literals.

use std::path::{Path, PathBuf};

use crate::paths::cleaned;

/// The environment variable that names the file.
pub(crate) const VARIABLE: &str = "VOLT_STATE_MACHINE_EXPANSIONS";

/// The expansion of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionExpansion {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) name: String,
    /// The function that creates the machine.
    pub(crate) function: String,
    /// The machine and its implementations.
    pub(crate) items: String,
}

/// Reads a report. Relative files are those of `root`. A function that is compiled twice, for a
/// library and for its tests, is returned once.
pub(crate) fn read(report: &str, root: &Path) -> Vec<FunctionExpansion> {
    let mut expansions = Vec::new();
    for expansion in report.lines().filter_map(|line| read_line(line, root)) {
        if !expansions.contains(&expansion) {
            expansions.push(expansion);
        }
    }
    expansions
}

fn read_line(line: &str, root: &Path) -> Option<FunctionExpansion> {
    let fields: Vec<_> = line.split('\t').collect();
    let [file, line, name, function, items] = fields[..] else {
        return None;
    };
    let code = |field| syn::parse_str::<syn::LitStr>(field).ok();
    Some(FunctionExpansion {
        file: cleaned(&root.join(file)),
        line: line.parse().ok()?,
        name: name.to_owned(),
        function: code(function)?.value(),
        items: code(items)?.value(),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::read;

    #[test]
    fn function_is_read_once() {
        let line = "src/a.rs\t3\tread\t\"fn read () { }\"\t\"const A : & str = \\\"\\\\n\\\" ;\"\n";
        let report = format!("{line}broken\n{line}");
        let expansions = read(&report, Path::new("/c"));
        assert_eq!(expansions.len(), 1);
        assert_eq!(expansions[0].file, Path::new("/c/src/a.rs"));
        assert_eq!(expansions[0].items, r#"const A : & str = "\n" ;"#);
    }
}
