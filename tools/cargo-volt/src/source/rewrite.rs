//! Attributes inserted into a text, each on an existing line.
//!
//! Line numbers stay the same, and a place in the new text maps to one in the old text.

use crate::scan::{Found, Function, Kind};

/// The layout option of the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayoutOption {
    Default,
    Native,
}

/// The position of the attribute among the others of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// After all others, so that they are expanded before it.
    Below,
    /// Before the first attribute that may change the function.
    Above,
}

/// The attribute of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AttributeEdit {
    pub(crate) option: LayoutOption,
    /// `true` if the machine has an explicit name.
    pub(crate) named: bool,
    pub(crate) position: Position,
}

/// A text with attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rewritten {
    pub(crate) text: String,
    /// The insertions: the place in the old text, and the length.
    inserted: Vec<(usize, usize)>,
}

impl Rewritten {
    /// Returns the place in the old text. For inserted text, that is the place of the insertion.
    pub(crate) fn original(&self, at: usize) -> usize {
        let mut before = 0;
        for &(place, length) in &self.inserted {
            if at <= place + before {
                break;
            }
            if at < place + before + length {
                return place;
            }
            before += length;
        }
        at - before
    }
}

/// Puts the attribute, with `options` in it, on each function that has an edit.
///
/// `edits` are in the order of the functions of `found`.
pub(crate) fn rewrite(
    text: &str,
    found: &Found,
    edits: &[Option<AttributeEdit>],
    options: &str,
) -> Rewritten {
    let mut insertions = of_functions(found, edits, options);
    insertions.extend(of_blocks(found, edits, options));
    insertions.sort();
    let (mut rewritten, mut inserted, mut from) = (String::new(), Vec::new(), 0);
    for (at, attribute) in insertions {
        rewritten.push_str(&text[from..at]);
        rewritten.push_str(&attribute);
        inserted.push((at, attribute.len()));
        from = at;
    }
    rewritten.push_str(&text[from..]);
    Rewritten {
        text: rewritten,
        inserted,
    }
}

fn of_functions(
    found: &Found,
    edits: &[Option<AttributeEdit>],
    options: &str,
) -> Vec<(usize, String)> {
    let functions = found.functions.iter().zip(edits);
    let free = functions.filter(|(function, _)| function.block.is_none());
    free.filter_map(|(function, edit)| {
        let edit = (*edit).filter(|_| function.kind != Kind::OfTrait)?;
        let at = match edit.position {
            Position::Above => function.above.unwrap_or(function.below),
            Position::Below => function.below,
        };
        Some((at, attribute(&[&said(function, edit), options])))
    })
    .collect()
}

/// Returns the attribute of each `impl` block that has a method with an edit, and those of its
/// methods.
fn of_blocks(
    found: &Found,
    edits: &[Option<AttributeEdit>],
    options: &str,
) -> Vec<(usize, String)> {
    let mut insertions = Vec::new();
    for (index, block) in found.blocks.iter().enumerate() {
        let all = || found.functions.iter().zip(edits);
        let methods = || all().filter(|(function, _)| function.block == Some(index));
        if !methods().any(|(_, edit)| edit.is_some()) {
            continue;
        }
        insertions.push((block.at, attribute(&[options])));
        insertions.extend(methods().filter_map(|(function, edit)| {
            let said = match edit {
                None => "skip".to_owned(),
                Some(edit) => said(function, *edit),
            };
            (!said.is_empty()).then(|| (function.below, attribute(&[&said])))
        }));
    }
    insertions
}

/// Returns the text of the attribute on a function.
fn said(function: &Function, edit: AttributeEdit) -> String {
    let word = match edit.option {
        LayoutOption::Default => None,
        LayoutOption::Native => Some("native".to_owned()),
    };
    let name = edit.named.then(|| {
        let home = function.home.as_deref().unwrap_or_default();
        let alias = match function.home {
            Some(_) => "",
            // The alias may hide a crate.
            None => ", alias = false",
        };
        let name = camel(&format!("{home}_{}", function.name));
        format!("name = {name}Machine{alias}")
    });
    let said: Vec<_> = word.into_iter().chain(name).collect();
    said.join(", ")
}

/// `ReadFrame` for `read_frame`.
fn camel(name: &str) -> String {
    let name = name.replace("r#", "_");
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    let words = words.map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    });
    words.collect()
}

fn attribute(options: &[&str]) -> String {
    let given: Vec<_> = options
        .iter()
        .copied()
        .filter(|one| !one.is_empty())
        .collect();
    match given.join(", ") {
        none if none.is_empty() => "#[::volt::state_machine] ".to_owned(),
        options => format!("#[::volt::state_machine({options})] "),
    }
}

#[cfg(test)]
mod tests {
    use super::{AttributeEdit, LayoutOption, Position, Rewritten, rewrite};
    use crate::scan::scan;

    const PLAIN: Option<AttributeEdit> = Some(AttributeEdit {
        option: LayoutOption::Default,
        named: false,
        position: Position::Below,
    });
    const NATIVE: Option<AttributeEdit> = Some(AttributeEdit {
        option: LayoutOption::Native,
        named: false,
        position: Position::Below,
    });

    fn rewritten(text: &str, edits: &[Option<AttributeEdit>], options: &str) -> Rewritten {
        let found = scan(text).expect("it parses");
        let rewritten = rewrite(text, &found, edits, options);
        scan(&rewritten.text).expect("it still parses");
        rewritten
    }

    #[test]
    fn attribute_stands_on_the_line_of_the_function() {
        let text = "/// A\n#[inline]\npub async fn f() {}\nasync fn g() {}\n";
        let expected = "/// A\n#[inline]\n#[::volt::state_machine] pub async fn f() {}\n\
                        #[::volt::state_machine(native)] async fn g() {}\n";
        assert_eq!(rewritten(text, &[PLAIN, NATIVE], "").text, expected);
        assert_eq!(rewritten(text, &[None, None], "").text, text);
    }

    #[test]
    fn attribute_can_precede_other_attributes() {
        let above = Some(AttributeEdit {
            option: LayoutOption::Default,
            named: false,
            position: Position::Above,
        });
        let text = "#[cfg(x)]\n#[instrument]\n#[inline]\nasync fn f() {}\n";
        let expected =
            "#[cfg(x)]\n#[::volt::state_machine] #[instrument]\n#[inline]\nasync fn f() {}\n";
        assert_eq!(rewritten(text, &[above], "").text, expected);
    }

    #[test]
    fn attribute_of_a_block_skips_other_methods() {
        let text =
            "impl A {\n    async fn f() {}\n    pub async fn g() {}\n    async fn h() {}\n}\n";
        let expected = "#[::volt::state_machine] impl A {\n    async fn f() {}\n    \
                        #[::volt::state_machine(skip)] pub async fn g() {}\n    \
                        #[::volt::state_machine(native)] async fn h() {}\n}\n";
        assert_eq!(rewritten(text, &[PLAIN, None, NATIVE], "").text, expected);
        assert_eq!(rewritten(text, &[None, None, None], "").text, text);
    }

    #[test]
    fn options_stand_behind_the_word() {
        let text = "async fn f() {}\n";
        let one = rewritten(text, &[NATIVE], "trace = false").text;
        assert_eq!(
            one,
            "#[::volt::state_machine(native, trace = false)] async fn f() {}\n"
        );
    }

    #[test]
    fn machine_with_a_taken_name_is_renamed() {
        let named = |edit: Option<AttributeEdit>| {
            edit.map(|edit| AttributeEdit {
                named: true,
                ..edit
            })
        };
        let text = "async fn read_frame() {}\nimpl r#A<'_> { async fn r#f() {} }\n";
        let edits = [named(PLAIN), named(NATIVE)];
        let expected = "#[::volt::state_machine(name = ReadFrameMachine, alias = false)] async fn read_frame() {}\n\
                        #[::volt::state_machine] impl r#A<'_> { \
                        #[::volt::state_machine(native, name = AFMachine)] async fn r#f() {} }\n";
        assert_eq!(rewritten(text, &edits, "").text, expected);
    }

    #[test]
    fn methods_of_traits_stay() {
        let text = "impl T for A { async fn f() {} }\n";
        assert_eq!(rewritten(text, &[PLAIN], "").text, text);
    }

    #[test]
    fn every_place_leads_back() {
        let text = "async fn f() { é(); }\nasync fn g() {}\n";
        let new = rewritten(text, &[PLAIN, PLAIN], "");
        for (at, _) in text.char_indices() {
            let letter = &text[at..];
            let mut places = new.text.char_indices().map(|(at, _)| at);
            let found = places.find(|&there| {
                new.original(there) == at
                    && new.text[there..].chars().next() == letter.chars().next()
            });
            assert!(found.is_some(), "{at}");
        }
        let attribute = new.text.rfind("state_machine").expect("it is there");
        assert_eq!(
            new.original(attribute),
            text.find("async fn g").expect("it is there")
        );
    }
}
