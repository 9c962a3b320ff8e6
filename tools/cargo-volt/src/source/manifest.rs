//! Manifests, as text: a dependency added, and nothing else changed.

use std::path::Path;

/// The line that makes volt a dependency.
pub(crate) fn dependency(volt: &Path, features: &[String]) -> String {
    let path = volt.join("volt").display().to_string().replace('\\', "/");
    let features: Vec<_> = features.iter().map(|name| format!("{name:?}")).collect();
    format!(
        "volt-async = {{ path = {path:?}, default-features = false, features = [{}] }}",
        features.join(", ")
    )
}

/// The manifest with `line` among its dependencies.
pub(crate) fn with_dependency(manifest: &str, line: &str) -> String {
    let header = manifest.lines().position(is_dependencies);
    let Some(header) = header else {
        let end = if manifest.ends_with('\n') { "" } else { "\n" };
        return format!("{manifest}{end}\n[dependencies]\n{line}\n");
    };
    let mut lines: Vec<&str> = manifest.lines().collect();
    lines.insert(header + 1, line);
    lines.join("\n") + "\n"
}

/// Returns `true` for the header of the table `[dependencies]` itself.
fn is_dependencies(line: &str) -> bool {
    let line = line.split('#').next().unwrap_or_default();
    let name = line
        .trim()
        .strip_prefix('[')
        .and_then(|line| line.strip_suffix(']'));
    name.is_some_and(|name| name.trim() == "dependencies")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{dependency, with_dependency};

    #[test]
    fn dependency_stands_first_in_the_table() {
        let manifest = "[package]\nname = \"a\"\n[ dependencies ] # all\nb = \"1\"\n[dev-dependencies]\nc = \"1\"";
        let expected = "[package]\nname = \"a\"\n[ dependencies ] # all\nvolt = 1\nb = \"1\"\n[dev-dependencies]\nc = \"1\"\n";
        assert_eq!(with_dependency(manifest, "volt = 1"), expected);
    }

    #[test]
    fn table_is_made_where_there_is_none() {
        let manifest = "[package]\nname = \"a\"\n[dependencies.b]\nversion = \"1\"";
        let expected = format!("{manifest}\n\n[dependencies]\nvolt = 1\n");
        assert_eq!(with_dependency(manifest, "volt = 1"), expected);
    }

    #[test]
    fn dependency_names_its_features() {
        let features = ["std".to_owned(), "checks".to_owned()];
        let expected = "volt-async = { path = \"v/volt\", default-features = false, features = [\"std\", \"checks\"] }";
        assert_eq!(dependency(Path::new("v"), &features), expected);
    }
}
