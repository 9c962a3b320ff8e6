//! Attributes put into a text, each on a line that is there already.
//!
//! No line moves, and a place in the new text leads back to the old one.

use crate::scan::{Found, Function, Kind};

/// Which option stands in the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Plain,
    Native,
}

/// Where the attribute stands among the others of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// Nearest to the function, so that the others are expanded before it.
    Below,
    /// In front of the first that may change the function.
    Above,
}

/// What is put on a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) word: Word,
    /// Whether the machine gets a name that the function does not give it.
    pub(crate) named: bool,
    pub(crate) position: Position,
}

/// A text with attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rewritten {
    pub(crate) text: String,
    /// What was put in: the place in the old text, and how much.
    inserted: Vec<(usize, usize)>,
}

impl Rewritten {
    /// The place in the old text; for what was put in, the place where that was done.
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

/// Puts the attribute, with `options` in it, on each function that has a mark.
///
/// `marks` are those of the functions of `found`, in their order.
pub(crate) fn rewrite(
    text: &str,
    found: &Found,
    marks: &[Option<Mark>],
    options: &str,
) -> Rewritten {
    let mut insertions = of_functions(found, marks, options);
    insertions.extend(of_blocks(found, marks, options));
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

fn of_functions(found: &Found, marks: &[Option<Mark>], options: &str) -> Vec<(usize, String)> {
    let functions = found.functions.iter().zip(marks);
    let free = functions.filter(|(function, _)| function.block.is_none());
    free.filter_map(|(function, mark)| {
        let mark = (*mark).filter(|_| function.kind != Kind::OfTrait)?;
        let at = match mark.position {
            Position::Above => function.above.unwrap_or(function.below),
            Position::Below => function.below,
        };
        Some((at, attribute(&[&said(function, mark), options])))
    })
    .collect()
}

/// The attribute on each `impl` block with a method that has a mark, and what its methods say.
fn of_blocks(found: &Found, marks: &[Option<Mark>], options: &str) -> Vec<(usize, String)> {
    let mut insertions = Vec::new();
    for (index, block) in found.blocks.iter().enumerate() {
        let all = || found.functions.iter().zip(marks);
        let methods = || all().filter(|(function, _)| function.block == Some(index));
        if !methods().any(|(_, mark)| mark.is_some()) {
            continue;
        }
        insertions.push((block.at, attribute(&[options])));
        insertions.extend(methods().filter_map(|(function, mark)| {
            let said = match mark {
                None => "skip".to_owned(),
                Some(mark) => said(function, *mark),
            };
            (!said.is_empty()).then(|| (function.below, attribute(&[&said])))
        }));
    }
    insertions
}

/// What the attribute on the function says.
fn said(function: &Function, mark: Mark) -> String {
    let word = match mark.word {
        Word::Plain => None,
        Word::Native => Some("native".to_owned()),
    };
    let name = mark.named.then(|| {
        let home = function.home.as_deref().unwrap_or_default();
        format!(
            "name = {}Machine",
            camel(&format!("{home}_{}", function.name))
        )
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
    use super::{Mark, Position, Rewritten, Word, rewrite};
    use crate::scan::scan;

    const PLAIN: Option<Mark> = Some(Mark {
        word: Word::Plain,
        named: false,
        position: Position::Below,
    });
    const NATIVE: Option<Mark> = Some(Mark {
        word: Word::Native,
        named: false,
        position: Position::Below,
    });

    fn rewritten(text: &str, marks: &[Option<Mark>], options: &str) -> Rewritten {
        let found = scan(text).expect("it parses");
        let rewritten = rewrite(text, &found, marks, options);
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
    fn attribute_can_stand_above_what_changes_the_function() {
        let above = Some(Mark {
            word: Word::Plain,
            named: false,
            position: Position::Above,
        });
        let text = "#[cfg(x)]\n#[instrument]\n#[inline]\nasync fn f() {}\n";
        let expected =
            "#[cfg(x)]\n#[::volt::state_machine] #[instrument]\n#[inline]\nasync fn f() {}\n";
        assert_eq!(rewritten(text, &[above], "").text, expected);
    }

    #[test]
    fn block_takes_the_attribute_and_other_methods_are_skipped() {
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
    fn machine_whose_name_is_taken_gets_another() {
        let named = |mark: Option<Mark>| {
            mark.map(|mark| Mark {
                named: true,
                ..mark
            })
        };
        let text = "async fn read_frame() {}\nimpl r#A<'_> { async fn r#f() {} }\n";
        let marks = [named(PLAIN), named(NATIVE)];
        let expected = "#[::volt::state_machine(name = ReadFrameMachine)] async fn read_frame() {}\n\
                        #[::volt::state_machine] impl r#A<'_> { \
                        #[::volt::state_machine(native, name = AFMachine)] async fn r#f() {} }\n";
        assert_eq!(rewritten(text, &marks, "").text, expected);
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
