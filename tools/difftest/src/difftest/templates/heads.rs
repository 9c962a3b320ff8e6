//! Writes the heads of functions, and calls of them.

use super::ambiguous::{CONSUMING, CYCLES, INFERRED, RECEIVING, RECURSIONS};
use super::signature::{Container, FunctionHead};
use super::writer::TemplateWriter;

impl TemplateWriter<'_> {
    /// Declares the arguments for a body, and writes the head. Returns the head and the first lines
    /// of the body.
    pub(super) fn head(&mut self, head: &FunctionHead) -> (String, String) {
        let (mut arguments, mut begin) = (Vec::new(), String::new());
        if let Some((receiver, _, _)) = head.receiver {
            arguments.push(receiver.to_owned());
            begin += &self.received(head, receiver);
        }
        for (declared, _, _, locals, used) in &head.parameters {
            let (declared, used) = self.parameter(declared, locals, used);
            arguments.push(declared);
            if !used.is_empty() {
                begin += &format!("    {used}\n");
            }
        }
        if head.lends {
            self.returns = '&';
            self.borrowed = self.locals.last().map(|local| local.name.clone());
        }
        let (bounds, generics): (Vec<&str>, Vec<&str>) = head
            .generics
            .iter()
            .map(|generic| generic.1)
            .partition(|text| head.behind && text.contains(": ") && !text.starts_with("const"));
        let mut generics: Vec<&str> = generics;
        let names: Vec<&str> = head
            .generics
            .iter()
            .filter(|generic| bounds.contains(&generic.1))
            .map(|generic| generic.0)
            .collect();
        generics.extend(names);
        generics.sort_by_key(|generic| !generic.contains('\''));
        let generics = listed("<", &generics, ">");
        let bounds = listed(" where ", &bounds, "");
        let output = match head.output {
            "" => String::new(),
            output => format!(" -> {output}"),
        };
        let word = match (head.home, head.is_unsafe) {
            (Container::Trait, _) => "async fn",
            (_, true) => "pub async unsafe fn",
            (_, false) => "pub async fn",
        };
        let name = &head.name;
        let text = format!(
            "{word} {name}{generics}({}){output}{bounds}",
            arguments.join(", ")
        );
        (text, begin)
    }

    /// Returns the first lines of a body that has a receiver.
    fn received(&mut self, head: &FunctionHead, receiver: &str) -> String {
        let mut begin = self.filled(
            "    note(self.n); tick(@#).await; look(&self.number());\n",
            &[],
        );
        if self.rng.chance(50) {
            let template = self.rng.pick(RECEIVING);
            begin += &format!("    {}\n", self.filled(template, &[]));
        }
        let is_owned = ["self", "mut self", "self: Box<Self>"].contains(&receiver);
        // The part of the generic type has no such method.
        if is_owned && head.home != Container::OtherImpl && self.rng.chance(25) {
            let template = self.rng.pick(CONSUMING);
            begin += &format!("    {}\n", self.filled(template, &[]));
        }
        begin
    }

    /// Returns an await of the function by itself, in a box that a helper makes. Some functions
    /// have none: an unnamed type would contain itself, a generic one grow with each call, and an
    /// argument of the function's name hide the function.
    pub(super) fn recursion(&mut self, head: &FunctionHead) -> String {
        let mut declared = head.parameters.iter().map(|parameter| parameter.0);
        let is_barred =
            head.has_unnamed_type() || declared.any(|text| text.starts_with("own_name:"));
        let calls = INFERRED.iter().find(|(name, _)| *name == head.name);
        let often = if calls.is_some() { 60 } else { 15 };
        if is_barred || !self.rng.chance(often) {
            return String::new();
        }
        let calls = calls.map(|(_, calls)| {
            let call = self.rng.pick(calls);
            format!("    {}\n", self.filled(call, &[]))
        });
        let template = self.rng.pick(RECURSIONS);
        let statement = self.filled(template, &[]);
        let call = self.call(head, true);
        let calls = calls.unwrap_or_default();
        format!("{calls}    {}\n", statement.replace("CALL", &call))
    }

    /// Returns the awaits of two functions by each other, in boxes. Functions with unnamed types
    /// have none, as in a recursion.
    pub(super) fn cycle(&mut self, heads: [&FunctionHead; 2]) -> [String; 2] {
        if heads.iter().any(|head| head.has_unnamed_type()) {
            return [String::new(), String::new()];
        }
        heads.map(|head| {
            let template = self.rng.pick(CYCLES);
            let statement = self.filled(template, &[]);
            let call = self.call(head, true);
            format!("    {}\n", statement.replace("CALL", &call))
        })
    }

    /// Returns a call: from outside, or in another function.
    pub(super) fn call(&mut self, head: &FunctionHead, outside: bool) -> String {
        let mut arguments = Vec::new();
        if let Some((_, out, inner)) = head.receiver {
            let host = match head.home {
                Container::OtherImpl => "other_impl(@#, d(@#))",
                _ => "host(@#)",
            };
            let template = if outside { out } else { inner };
            arguments.push(self.filled(&template.replace("@host", host), &[]));
        }
        for (_, out, inner, _, _) in &head.parameters {
            let template = if outside || !self.fits(inner) {
                out
            } else {
                inner
            };
            if !template.is_empty() {
                arguments.push(self.filled(template, &[]));
            }
        }
        let path = match head.home {
            Container::Module | Container::Macro => head.name.clone(),
            Container::Host | Container::Trait => format!("Host::{}", head.name),
            Container::OtherImpl => format!("OtherImpl::<DropLogger>::{}", head.name),
        };
        let call = format!("{path}({})", arguments.join(", "));
        if head.is_unsafe && outside {
            format!("unsafe {{ {call} }}")
        } else {
            call
        }
    }
}

/// Returns the parts between `before` and `after`, and an empty text if there are none.
fn listed(before: &str, parts: &[&str], after: &str) -> String {
    match parts {
        [] => String::new(),
        _ => format!("{before}{}{after}", parts.join(", ")),
    }
}
