//! The requirements of a test of the compiler, in the lines that begin with `//@`.

/// How a test is compiled in one of its revisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) edition: String,
    pub(crate) runs: bool,
    /// Further flags of the compiler.
    pub(crate) flags: Vec<String>,
    /// The libraries that it uses, in the folder `auxiliary` beside it.
    pub(crate) beside: Vec<String>,
}

/// Returns the requirements of each revision for stable Rust, or the reason why the file is
/// skipped.
pub(crate) fn wanted(text: &str) -> Result<Vec<Wanted>, &'static str> {
    if text.contains("#![feature") {
        return Err("needs unstable features");
    }
    let lines = of_revision(text, "");
    let names = values(&lines, "revisions:");
    let mut names: Vec<&str> = names
        .iter()
        .flat_map(|names| names.split_whitespace())
        .collect();
    if names.is_empty() {
        names.push("");
    }
    let mut found = Vec::new();
    let mut why = "is not to pass";
    for name in names {
        match revision(text, name) {
            Ok(wanted) => found.push(wanted),
            Err(reason) => why = reason,
        }
    }
    if found.is_empty() {
        Err(why)
    } else {
        Ok(found)
    }
}

/// Returns the requirements of one revision. Its name is empty if it is the only one.
fn revision(text: &str, name: &str) -> Result<Wanted, &'static str> {
    let lines = of_revision(text, name);
    let has = |word: &str| lines.iter().any(|line| line.starts_with(word));
    if !(has("run-pass") || has("check-pass") || has("build-pass")) || text.contains("//~ ERROR") {
        return Err("is not to pass");
    }
    if has("aux-crate") || has("proc-macro") {
        return Err("needs other files");
    }
    let flags = values(&lines, "compile-flags:");
    let flags = flags.iter().flat_map(|flags| flags.split_whitespace());
    let mut flags: Vec<String> = flags.map(str::to_owned).collect();
    if flags.iter().any(|flag| flag.starts_with("-Z")) || has("only-") || has("rustc-env") {
        return Err("asks for what not every compiler has");
    }
    if !name.is_empty() {
        flags.extend(["--cfg".to_owned(), name.to_owned()]);
    }
    let beside = values(&lines, "aux-build:");
    Ok(Wanted {
        edition: values(&lines, "edition:")
            .first()
            .map_or("2015", |editions| first_of(editions))
            .to_owned(),
        runs: has("run-pass"),
        flags,
        beside: beside.into_iter().map(str::to_owned).collect(),
    })
}

/// The edition of a file that others use.
pub(crate) fn edition(text: &str) -> &str {
    let lines = of_revision(text, "");
    values(&lines, "edition:")
        .first()
        .map_or("2015", |editions| first_of(editions))
}

/// Returns the first edition of a range: `2018..` includes that edition and the later ones.
fn first_of(editions: &str) -> &str {
    editions.split("..").next().unwrap_or(editions)
}

/// The lines for all revisions, and those for this one: `//@[name] ..`.
fn of_revision<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let lines = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("//@"));
    let meant = lines.filter_map(|line| match line.trim().strip_prefix('[') {
        None => Some(line.trim()),
        Some(rest) => {
            let (names, line) = rest.split_once(']')?;
            let is_meant = names.split(',').any(|one| one.trim() == name);
            is_meant.then_some(line.trim())
        }
    });
    meant.collect()
}

fn values<'t>(lines: &[&'t str], key: &str) -> Vec<&'t str> {
    let found = lines.iter().filter_map(|line| line.strip_prefix(key));
    found.map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::{Wanted, wanted};

    #[test]
    fn stable_test_is_selected() {
        let text = "//@ run-pass\n//@ edition:2021\n//@ aux-build: a.rs\nfn main() {}";
        let found = Wanted {
            edition: "2021".to_owned(),
            runs: true,
            flags: Vec::new(),
            beside: vec!["a.rs".to_owned()],
        };
        assert_eq!(wanted(text), Ok(vec![found]));
        let text = "//@ check-pass\n//@ edition: 2018..2021\n";
        let found = wanted(text).expect("is wanted");
        assert_eq!(found[0].edition, "2018");
    }

    #[test]
    fn stable_revision_is_selected() {
        let text = "//@ check-pass\n//@ revisions: now next\n//@[next] compile-flags: -Znext-solver\n\
                    //@[now] edition: 2024\n";
        let found = wanted(text).expect("is wanted");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].flags, ["--cfg", "now"]);
        assert_eq!(found[0].edition, "2024");
    }

    #[test]
    fn others_are_left_out() {
        for text in [
            "fn main() {}",
            "//@ check-pass\n#![feature(gen_blocks)]",
            "//@ run-pass\n//@ proc-macro:block-on.rs",
            "//@ run-pass\n//@ compile-flags: -Zunstable-options",
        ] {
            assert!(wanted(text).is_err(), "{text}");
        }
    }
}
