//! `cargo volt expand`: the expansion of one function.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::check_session::{CheckSession, Targets, failure};
use super::unfold::formatted;
use crate::build::cargo_args::CargoArgs;
use crate::context::{Context, Outcome};
use crate::json_args::JsonArgs;
use crate::layouts::{self, Report, ReportedLayout};
use crate::macro_reports::expansions::{self, FunctionExpansion};
use crate::paths::shown;
use crate::scan::scan;
use crate::terminal::{Align, EMPHASIS, FAINT, GOOD, NOTICE, TextTable, print, styled};

/// The arguments of `expand`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ExpandArgs {
    /// Folder with a Cargo.toml [default: the current one], then the function: `read` or
    /// `Conn::read`; without a function, a list of all functions
    #[arg(value_name = "PATH] [FUNCTION", num_args = 0..=2)]
    words: Vec<String>,
    /// Also expand tests, examples and benchmarks
    #[arg(long)]
    all_targets: bool,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    cargo: CargoArgs,
}

/// A function that was expanded.
#[derive(Clone, Debug)]
struct Expanded {
    /// `Conn::read`.
    name: String,
    /// The file, relative to the root of the workspace.
    file: String,
    line: usize,
    layout: Option<ReportedLayout>,
    expansion: FunctionExpansion,
}

/// Prints the expansion of the function, or the list of functions.
pub(crate) fn expand(arguments: &ExpandArgs) -> Outcome<()> {
    let (path, name) = path_and_name(&arguments.words)?;
    let targets = if arguments.all_targets {
        Targets::All
    } else {
        Targets::Own
    };
    let session = CheckSession::open(&path, &arguments.cargo, targets)?;
    let functions = expanded(&session);
    session.finish();
    let functions = functions?;
    let Some(name) = name else {
        return print_all(arguments, &functions);
    };
    let found: Vec<_> = functions
        .iter()
        .filter(|one| is_named(one, &name))
        .collect();
    if found.is_empty() {
        return Err(missing(&name, &functions));
    }
    let value: Value = found.iter().map(|one| value(one, true)).collect();
    if arguments.json.is_printed() {
        return print(&format!("{value:#}\n"));
    }
    let pages: Vec<_> = found.into_iter().map(page).collect();
    print(&pages.join("\n"))?;
    arguments.json.write_file(&format!("{value:#}\n"))
}

fn print_all(arguments: &ExpandArgs, functions: &[Expanded]) -> Outcome<()> {
    if functions.is_empty() {
        return Err("no function was expanded: the attribute is on none that is built".to_owned());
    }
    let value: Value = functions.iter().map(|one| value(one, false)).collect();
    if arguments.json.is_printed() {
        return print(&format!("{value:#}\n"));
    }
    print(&list(functions))?;
    arguments.json.write_file(&format!("{value:#}\n"))
}

/// Splits the words into the folder and the function. A single word is the folder if it exists.
fn path_and_name(words: &[String]) -> Outcome<(PathBuf, Option<String>)> {
    match words {
        [] => Ok((PathBuf::from("."), None)),
        [path] if Path::new(path).exists() => Ok((PathBuf::from(path), None)),
        [name] => Ok((PathBuf::from("."), Some(name.clone()))),
        [path, name] => Ok((PathBuf::from(path), Some(name.clone()))),
        _ => Err("name at most a folder and a function".to_owned()),
    }
}

/// Checks the crate, and returns its functions by file and line.
fn expanded(session: &CheckSession) -> Outcome<Vec<Expanded>> {
    let layouts = session.report_file("layouts.tsv")?;
    let code = session.report_file("expansions.tsv")?;
    let built = session.check(&[
        (layouts::VARIABLE, layouts.as_os_str()),
        (expansions::VARIABLE, code.as_os_str()),
    ])?;
    let read =
        |file: &Path| fs::read_to_string(file).context(|| format!("reading {}", file.display()));
    let report = Report::read(&read(&layouts)?, &session.root);
    let expansions = expansions::read(&read(&code)?, &session.root);
    // An expansion with an error is worth a look, too.
    if expansions.is_empty() && !built.success {
        return Err(failure(&built));
    }
    let expanded = expansions.into_iter().map(|expansion| {
        let FunctionExpansion {
            file, line, name, ..
        } = &expansion;
        let place = (file.clone(), *line..=*line, name.clone());
        Expanded {
            name: full_name(file, *line).unwrap_or_else(|| name.clone()),
            file: shown(file, &session.root),
            line: *line,
            layout: report.get(&place).cloned(),
            expansion,
        }
    });
    let mut expanded: Vec<_> = expanded.collect();
    expanded.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    Ok(expanded)
}

/// Returns the name of the function at a line, with its type: `Conn::read`.
fn full_name(file: &Path, line: usize) -> Option<String> {
    let found = scan(&fs::read_to_string(file).ok()?).ok()?;
    let mut functions = found.functions.iter();
    let function = functions.find(|function| function.line == line)?;
    Some(function.full_name())
}

fn is_named(one: &Expanded, name: &str) -> bool {
    one.name == name || one.expansion.name == name || one.name.rsplit("::").next() == Some(name)
}

fn missing(name: &str, functions: &[Expanded]) -> String {
    let names: Vec<_> = functions.iter().map(|one| one.name.as_str()).collect();
    format!(
        "no function `{name}` has the attribute; there are: {}",
        names.join(", ")
    )
}

/// Returns the layout, with the reason and its line if it is not explicit.
fn layout(one: &Expanded) -> String {
    match &one.layout {
        None => "unknown layout".to_owned(),
        Some(layout) if layout.reason.is_empty() => layout.layout.word().to_owned(),
        Some(layout) => format!(
            "{}: {}, line {}",
            layout.layout.word(),
            layout.reason,
            layout.line
        ),
    }
}

fn page(one: &Expanded) -> String {
    let head = format!(
        "// {} in {}:{}\n// layout: {}\n",
        one.name,
        one.file,
        one.line,
        layout(one)
    );
    let code = [&one.expansion.function, &one.expansion.items];
    let code = code.map(|code| formatted(code)).join("\n");
    styled(FAINT, head.trim_end()) + "\n\n" + &code
}

fn list(functions: &[Expanded]) -> String {
    let mut table = TextTable::new(&[
        ("function", Align::Left),
        ("place", Align::Left),
        ("layout", Align::Left),
    ]);
    for one in functions {
        let is_explicit = one
            .layout
            .as_ref()
            .is_some_and(|layout| layout.reason.is_empty());
        let style = if is_explicit { GOOD } else { NOTICE };
        table.push(vec![
            (EMPHASIS, one.name.clone()),
            (FAINT, format!("{}:{}", one.file, one.line)),
            (style, layout(one)),
        ]);
    }
    table.page()
}

fn value(one: &Expanded, with_code: bool) -> Value {
    let mut value = json!({
        "name": one.name,
        "file": one.file,
        "line": one.line,
        "layout": one.layout.as_ref().map(|layout| layout.layout.word()),
        "reason": one.layout.as_ref().map(|layout| &layout.reason),
        "reason_line": one.layout.as_ref().map(|layout| layout.line),
    });
    if with_code {
        value["function"] = formatted(&one.expansion.function).into();
        value["items"] = formatted(&one.expansion.items).into();
    }
    value
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::path_and_name;

    #[test]
    fn single_word_is_a_folder_if_it_exists() {
        let split = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
            path_and_name(&words)
        };
        let own = env!("CARGO_MANIFEST_DIR");
        assert_eq!(split(&[own]), Ok((PathBuf::from(own), None)));
        let function = Some("Conn::read".to_owned());
        assert_eq!(
            split(&["Conn::read"]),
            Ok((PathBuf::from("."), function.clone()))
        );
        assert_eq!(
            split(&["a", "Conn::read"]),
            Ok((PathBuf::from("a"), function))
        );
    }
}
