//! Links between Markdown files lead to files and headings that exist.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The folders and files with pages, from the root of the workspace.
const PLACES: [&str; 6] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs",
    "book/src",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn pages_below(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            pages_below(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|end| end == "md") {
        found.push(path.to_owned());
    }
}

/// The lines outside of code blocks.
fn prose(page: &str) -> Vec<&str> {
    let mut is_code = false;
    let lines = page.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.collect()
}

/// The targets of links and pictures.
fn targets(page: &str) -> Vec<&str> {
    let lines = prose(page).into_iter();
    lines
        .flat_map(|line| line.split("](").skip(1))
        .filter_map(|rest| rest.split(')').next())
        .filter(|target| !target.contains("://"))
        .collect()
}

/// The name of a heading, as mdBook and GitHub derive it.
fn slug(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept
        .chars()
        .filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.collect::<String>().trim().replace(' ', "-")
}

fn anchors(page: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    for line in prose(page) {
        if let Some((_, heading)) = line.split_once("# ")
            && line.starts_with('#')
        {
            found.insert(slug(heading));
        }
        let named = line.split("<a id=\"").skip(1);
        found.extend(named.filter_map(|rest| Some(rest.split('"').next()?.to_owned())));
    }
    found
}

/// The path without `..`, so that equal files have equal paths.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir && plain.file_name().is_some() {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

/// Returns the fault of a link, if it has one.
fn fault(from: &Path, page: &str, target: &str) -> Option<String> {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() {
        from.to_owned()
    } else {
        plain(&from.parent()?.join(file))
    };
    if !path.exists() {
        return Some(format!("{}: no file {target}", from.display()));
    }
    if anchor.is_empty() || path.extension().is_none_or(|end| end != "md") {
        return None;
    }
    let other = fs::read_to_string(&path).ok();
    let text = if path == from {
        page
    } else {
        other.as_deref()?
    };
    let is_known = anchors(text).contains(anchor);
    (!is_known).then(|| format!("{}: no heading {target}", from.display()))
}

fn pages() -> Vec<PathBuf> {
    let root = fs::canonicalize(root()).unwrap();
    let mut pages = Vec::new();
    for place in PLACES {
        pages_below(&root.join(place), &mut pages);
    }
    pages
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let pages = pages();
    assert!(pages.len() > 100, "the pages are found");
    let mut faults = Vec::new();
    for path in pages {
        let page = fs::read_to_string(&path).unwrap();
        let found = targets(&page).into_iter();
        faults.extend(found.filter_map(|target| fault(&path, &page, target)));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn summary_of_the_book_lists_every_page() {
    let folder = root().join("book/src");
    let summary = fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    let listed: HashSet<&str> = targets(&summary).into_iter().collect();
    let mut pages = Vec::new();
    pages_below(&folder, &mut pages);
    let names = pages
        .iter()
        .filter_map(|path| path.strip_prefix(&folder).ok()?.to_str());
    let missing = names.filter(|name| *name != "SUMMARY.md" && !listed.contains(name));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn slug_leaves_out_marks() {
    assert_eq!(slug("E0428 or E0255: the name"), "e0428-or-e0255-the-name");
    assert_eq!(
        slug("`spawn_blocking` and `join`"),
        "spawn_blocking-and-join"
    );
}

#[test]
fn broken_link_is_found() {
    let page = "# One\n[a](#one) [b](#two) ![c](none.svg)\n```text\n[d](#three)\n```\n";
    let from = fs::canonicalize(root()).unwrap().join("README.md");
    let faults: Vec<_> = targets(page)
        .into_iter()
        .filter_map(|target| fault(&from, page, target))
        .collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].ends_with("no heading #two") && faults[1].ends_with("no file none.svg"));
}
