//! Many projects, one after the other.
//!
//! A list has a line for each project: `OWNER/NAME COMMIT [OPTIONS]`. Text after `#` is ignored.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::options::{CorpusArgs, Options, options_of_line};
use crate::context::{Context, Outcome};
use crate::origin::Origin;

/// Returns the options for each project of the list.
pub(crate) fn projects(corpus: &CorpusArgs, command_line: &[OsString]) -> Outcome<Vec<Options>> {
    let list = &corpus.list;
    let text =
        fs::read_to_string(list).context(|| format!("reading the list {}", list.display()))?;
    let mut projects = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<_> = line.split_whitespace().collect();
        let doing = || format!("{}:{}", list.display(), number + 1);
        match words[..] {
            [] => {}
            [name, commit, ref rest @ ..] => {
                let options = options_of_line(command_line, rest).context(doing)?;
                projects.push(at(&corpus.from, name, commit, options));
            }
            [_] => return Err(format!("{}: write OWNER/NAME COMMIT [OPTIONS]", doing())),
        }
    }
    let name = |options: &Options| options.name.clone().unwrap_or_default();
    let wanted = |options: &Options| {
        corpus
            .only
            .iter()
            .any(|only| name(options).contains(only.as_str()))
    };
    projects.retain(|options| corpus.only.is_empty() || wanted(options));
    if projects.is_empty() {
        return Err(format!("{} has no selected project", list.display()));
    }
    Ok(projects)
}

/// Returns the options of a project: in a folder if it is found there, else at an address.
fn at(from: &str, name: &str, commit: &str, options: Options) -> Options {
    let folder = Path::new(from);
    let last = name.rsplit('/').next().unwrap_or(name);
    let places = [
        folder.join(name),
        folder.join(format!("{name}.git")),
        folder.join(last),
    ];
    let origin = match places.into_iter().find(|place| place.exists()) {
        Some(place) => Origin::Folder(place),
        None => Origin::Git(format!("{}/{name}", from.trim_end_matches('/'))),
    };
    Options {
        origin,
        revision: commit.to_owned(),
        name: options.name.clone().or_else(|| Some(name.to_owned())),
        ..options
    }
}

#[cfg(test)]
mod tests {
    use super::at;
    use crate::adoption::options::{Options, options_of_line};
    use crate::origin::Origin;

    fn options() -> Options {
        let command_line = ["--list", "l", "--from", "f"].map(Into::into);
        options_of_line(&command_line, &[]).expect("options")
    }

    #[test]
    fn project_without_a_folder_has_an_address() {
        let options = at("https://forge.example/", "a/b", "c0", options());
        assert_eq!(
            options.origin,
            Origin::Git("https://forge.example/a/b".to_owned())
        );
        assert_eq!(
            (options.revision.as_str(), options.name.as_deref()),
            ("c0", Some("a/b"))
        );
    }

    #[test]
    fn name_on_the_line_is_kept() {
        let named = Options {
            name: Some("b-examples".to_owned()),
            ..options()
        };
        let options = at("x", "a/b", "c0", named);
        assert_eq!(options.name.as_deref(), Some("b-examples"));
    }
}
