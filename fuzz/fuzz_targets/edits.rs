//! Edits of valid snapshots: of the tree of a JSON text, and of the bytes of postcard.

/// The source of the choices. When it is used up, the snapshot stays as it is then.
pub(crate) trait Choices {
    /// Returns a number below `bound`, if there are any left.
    fn below(&mut self, bound: usize) -> Option<usize>;
}

/// A JSON value that may be wrong: an object may have a key twice, a scalar may be any text.
#[derive(Clone)]
pub(crate) enum Node {
    Scalar(String),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// Scalars at the limits of types, and empty containers.
const SCALARS: [&str; 20] = [
    "null",
    "true",
    "0",
    "-1",
    "13",
    "127",
    "255",
    "256",
    "65536",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "1e999",
    "0.5",
    "\"\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"start\"",
    "[]",
    "{}",
];

/// Names that some machine uses, and some that none uses.
const NAMES: [&str; 10] = [
    "start", "await", "for", "value", "items", "Waiting", "Below", "Last", "Ok", "",
];

const BYTES: [u8; 9] = [0, 1, 2, 3, 13, 64, 127, 128, 255];

impl Node {
    /// Reads a valid text.
    pub(crate) fn of(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Array(values) => Self::Array(values.iter().map(Self::of).collect()),
            serde_json::Value::Object(fields) => {
                let fields = fields.iter();
                Self::Object(
                    fields
                        .map(|(name, value)| (name.clone(), Self::of(value)))
                        .collect(),
                )
            }
            scalar => Self::Scalar(scalar.to_string()),
        }
    }

    /// Appends the JSON text.
    pub(crate) fn write(&self, text: &mut String) {
        match self {
            Self::Scalar(scalar) => text.push_str(scalar),
            Self::Array(nodes) => {
                text.push('[');
                for (index, node) in nodes.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    node.write(text);
                }
                text.push(']');
            }
            Self::Object(fields) => {
                text.push('{');
                for (index, (name, node)) in fields.iter().enumerate() {
                    text.push_str(if index > 0 { ",\"" } else { "\"" });
                    text.push_str(name);
                    text.push_str("\":");
                    node.write(text);
                }
                text.push('}');
            }
        }
    }

    /// Returns the number of nodes.
    fn count(&self) -> usize {
        match self {
            Self::Scalar(_) => 1,
            Self::Array(nodes) => 1 + nodes.iter().map(Self::count).sum::<usize>(),
            Self::Object(fields) => 1 + fields.iter().map(|(_, node)| node.count()).sum::<usize>(),
        }
    }

    /// Returns the node of a number, in the order of the text.
    fn nth(&mut self, number: &mut usize) -> Option<&mut Self> {
        let Some(left) = number.checked_sub(1) else {
            return Some(self);
        };
        *number = left;
        match self {
            Self::Scalar(_) => None,
            Self::Array(nodes) => nodes.iter_mut().find_map(|node| node.nth(number)),
            Self::Object(fields) => fields.iter_mut().find_map(|(_, node)| node.nth(number)),
        }
    }

    /// Changes one node, with another snapshot as a source of parts.
    fn edit(&mut self, other: &Self, choices: &mut impl Choices) -> Option<()> {
        let mut number = choices.below(self.count())?;
        let node = self.nth(&mut number)?;
        match choices.below(6)? {
            0 => *node = Self::Scalar(SCALARS[choices.below(SCALARS.len())?].to_owned()),
            1 => {
                let mut number = choices.below(other.count())?;
                *node = other.clone().nth(&mut number)?.clone();
            }
            2 => {
                let mut nested = node.clone();
                for _ in 0..choices.below(200)? {
                    nested = Self::Array(vec![nested]);
                }
                *node = nested;
            }
            kind => node.edit_children(kind, choices)?,
        }
        Some(())
    }

    /// Removes, repeats, moves or renames a child.
    fn edit_children(&mut self, kind: usize, choices: &mut impl Choices) -> Option<()> {
        match self {
            Self::Scalar(_) => {}
            Self::Array(nodes) => edit_list(nodes, kind, choices)?,
            Self::Object(fields) if choices.below(2)? == 0 => {
                if !fields.is_empty() {
                    let index = choices.below(fields.len())?;
                    NAMES[choices.below(NAMES.len())?].clone_into(&mut fields[index].0);
                }
            }
            Self::Object(fields) => edit_list(fields, kind, choices)?,
        }
        Some(())
    }
}

/// Removes, repeats or moves an element.
fn edit_list<T: Clone>(list: &mut Vec<T>, kind: usize, choices: &mut impl Choices) -> Option<()> {
    if list.is_empty() {
        return Some(());
    }
    let index = choices.below(list.len())?;
    match kind {
        3 => drop(list.remove(index)),
        4 => list.push(list[index].clone()),
        _ => list.rotate_left(index),
    }
    Some(())
}

/// Returns one of the texts with some edits.
pub(crate) fn edited_text(corpus: &[Node], choices: &mut impl Choices) -> Option<String> {
    let mut node = corpus[choices.below(corpus.len())?].clone();
    let edits = 1 + choices.below(4)?;
    for _ in 0..edits {
        let other = &corpus[choices.below(corpus.len())?];
        if node.edit(other, choices).is_none() {
            break;
        }
    }
    let mut text = String::new();
    node.write(&mut text);
    if choices.below(16) == Some(0) {
        let end = choices.below(text.len() + 1).unwrap_or(0);
        text.truncate(text.floor_char_boundary(end));
    }
    Some(text)
}

/// Returns one of the byte strings with some edits.
pub(crate) fn edited_bytes(corpus: &[Vec<u8>], choices: &mut impl Choices) -> Option<Vec<u8>> {
    let mut bytes = corpus[choices.below(corpus.len())?].clone();
    let edits = 1 + choices.below(4)?;
    for _ in 0..edits {
        let other = &corpus[choices.below(corpus.len())?];
        if edit_bytes(&mut bytes, other, choices).is_none() {
            break;
        }
    }
    Some(bytes)
}

fn edit_bytes(bytes: &mut Vec<u8>, other: &[u8], choices: &mut impl Choices) -> Option<()> {
    let index = choices.below(bytes.len() + 1)?;
    let byte = BYTES[choices.below(BYTES.len())?];
    match choices.below(6)? {
        0 => bytes.truncate(index),
        1 => bytes.insert(index, byte),
        2 if index < bytes.len() => drop(bytes.remove(index)),
        3 => drop(bytes.splice(index..index, other[choices.below(other.len())?..].to_vec())),
        4 => drop(bytes.splice(index..index, vec![byte; choices.below(300)?])),
        _ => {
            if let Some(old) = bytes.get_mut(index) {
                *old = byte;
            }
        }
    }
    Some(())
}
