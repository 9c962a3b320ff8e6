//! Imports: the paths of a `use`.

use super::super::words::next_word;

/// One path of a `use`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Import {
    /// The segments. A glob import has those before the star.
    pub(in super::super) path: Vec<String>,
    /// The name that it brings into scope. A glob import has none.
    pub(in super::super) name: Option<String>,
}

/// Reads the text between `use` and the semicolon.
pub(in super::super) fn imports(tree: &str) -> Vec<Import> {
    let mut reader = Reader {
        text: tree.as_bytes(),
        at: 0,
        found: Vec::new(),
    };
    reader.read(&mut Vec::new());
    reader.found
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    found: Vec<Import>,
}

impl Reader<'_> {
    /// Reads a tree up to the comma or brace after it.
    fn read(&mut self, path: &mut Vec<String>) {
        let outer = path.len();
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b',' | b'}' => break,
                b'{' => {
                    self.read_group(path);
                    path.truncate(outer);
                    return;
                }
                b'*' => {
                    self.at += 1;
                    self.found.push(Import {
                        path: path.clone(),
                        name: None,
                    });
                    path.truncate(outer);
                    return;
                }
                _ => match self.word() {
                    Some(word) if word == "as" => return self.rename(path, outer),
                    Some(word) => path.push(word),
                    None => self.at += 1,
                },
            }
        }
        self.push(path, outer, None);
    }

    fn read_group(&mut self, path: &mut Vec<String>) {
        loop {
            self.at += 1;
            self.read(path);
            self.skip_space();
            if self.text.get(self.at) != Some(&b',') {
                break;
            }
        }
        self.at += 1;
    }

    fn rename(&mut self, path: &mut Vec<String>, outer: usize) {
        self.skip_space();
        let name = self.word();
        self.push(path, outer, name);
    }

    /// Adds an import, and shortens the path.
    fn push(&mut self, path: &mut Vec<String>, outer: usize, name: Option<String>) {
        if path.len() > outer {
            if path.len() > 1 {
                path.pop_if(|last| last == "self");
            }
            let name = name.or_else(|| path.last().cloned());
            let path = path.clone();
            self.found.push(Import { path, name });
        }
        path.truncate(outer);
    }

    fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// The word that begins here, without the mark of a raw name.
    fn word(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        let raw = if rest.starts_with(b"r#") { 2 } else { 0 };
        let (start, end) = next_word(self.text, self.at + raw)?;
        if start != self.at + raw {
            return None;
        }
        self.at = end;
        Some(String::from_utf8_lossy(&self.text[start..end]).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tree: &str) -> Vec<String> {
        let imports = imports(tree).into_iter();
        let text = imports.map(|import| {
            let name = import.name.unwrap_or_else(|| "*".to_owned());
            format!("{} = {name}", import.path.join("."))
        });
        text.collect()
    }

    #[test]
    fn use_tree_has_each_path() {
        assert_eq!(read("a::b"), ["a.b = b"]);
        assert_eq!(read("::a::b as c"), ["a.b = c"]);
        assert_eq!(read("a::r#type"), ["a.type = type"]);
        assert_eq!(read("super::*"), ["super = *"]);
        assert_eq!(
            read("a::{self, b::{C, D::*}, e as _, }"),
            ["a = a", "a.b.C = C", "a.b.D = *", "a.e = _"]
        );
        assert_eq!(read("{a, b::c}"), ["a = a", "b.c = c"]);
        assert_eq!(read("a :: { b } "), ["a.b = b"]);
    }
}
