//! `Tracer`: the forms of types, found by probes.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::probe::Probe;
use super::shape::{PathPart, ProbePlace, Shape, TypeName};
use crate::schema::form::{Definition, Fields, Form, Types, Variant};

/// The largest depth of a value. A generic type may contain itself with ever larger arguments.
const DEPTH: usize = 48;

/// The forms of types, found by probes.
#[derive(Debug, Default)]
pub(crate) struct Tracer {
    types: Types,
    /// The names of definitions by those of their types.
    names: BTreeMap<TypeName, String>,
}

impl Tracer {
    /// Returns the form of a type.
    pub(crate) fn trace<T: DeserializeOwned>(&mut self) -> Form {
        let probe = |path: &[PathPart]| {
            let shape = Cell::new(None);
            let place = ProbePlace {
                path,
                shape: &shape,
            };
            // The value is never complete. At the end of the path, the probe returns an error.
            let _ = T::deserialize(Probe(place));
            shape.get()
        };
        let mut path = Vec::new();
        Trace {
            tracer: self,
            probe: &probe,
            path: &mut path,
        }
        .form()
    }

    pub(crate) fn into_types(self) -> Types {
        self.types
    }

    /// Returns the name of a definition: that of its type without paths, unless another type has
    /// it, or serde has another name for the type.
    fn add_name(&mut self, of: TypeName) -> String {
        let short = without_paths(of.rust);
        let is_same = short.split('<').next() == Some(of.serde);
        let short = if is_same { short } else { of.serde.to_owned() };
        let long = format!("{} ({})", of.serde, of.rust);
        let names = [short, of.rust.to_owned(), long];
        let is_free = |name: &String| self.names.values().all(|used| used != name);
        let free = names.into_iter().find(is_free).unwrap_or_default();
        self.names.insert(of, free.clone());
        free
    }
}

/// The trace of one type.
struct Trace<'t> {
    tracer: &'t mut Tracer,
    /// Returns the shape at the end of a path.
    probe: &'t dyn Fn(&[PathPart]) -> Option<Shape>,
    path: &'t mut Vec<PathPart>,
}

impl Trace<'_> {
    /// Returns the form at the end of the path.
    fn form(&mut self) -> Form {
        let shape = (self.path.len() < DEPTH).then(|| (self.probe)(self.path));
        match shape.flatten() {
            None => Form::name("unknown"),
            Some(Shape::Scalar(name)) => Form::name(name),
            Some(
                Shape::Unit
                | Shape::Default
                | Shape::Ignored
                | Shape::FieldName(_)
                | Shape::VariantNames(_),
            ) => Form::name("()"),
            Some(Shape::Newtype) => self.part(PathPart::Inner),
            Some(Shape::Option) => Form::Option(Box::new(self.part(PathPart::Inner))),
            Some(Shape::List) => Form::List(Box::new(self.part(PathPart::Inner))),
            Some(Shape::Map) => {
                let entry = (self.part(PathPart::Key), self.part(PathPart::Value));
                Form::Map(Box::new(entry))
            }
            Some(Shape::Tuple(length)) => Form::Tuple(self.items(length)),
            Some(Shape::Struct { name, fields }) => self.defined(name, |trace| {
                let forms = trace.fields(fields);
                match trace.is_strict() {
                    true => Definition::Strict(forms),
                    false => Definition::Struct(forms),
                }
            }),
            Some(Shape::Enum { name, variants }) => {
                self.defined(name, |trace| Definition::Enum(trace.variants(variants)))
            }
        }
    }

    fn part(&mut self, part: PathPart) -> Form {
        self.within(part, Self::form)
    }

    fn within<T>(&mut self, part: PathPart, call: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(part);
        let result = call(self);
        self.path.pop();
        result
    }

    /// Returns the name of a definition, which is made once for each type.
    fn defined(&mut self, of: TypeName, define: impl FnOnce(&mut Self) -> Definition) -> Form {
        if let Some(name) = self.tracer.names.get(&of) {
            return Form::name(name);
        }
        let name = self.tracer.add_name(of);
        let definition = define(self);
        self.tracer.types.insert(name.clone(), definition);
        Form::Name(name)
    }

    fn items(&mut self, length: usize) -> Vec<Form> {
        let items = (0..length).map(|item| self.part(PathPart::Item(item)));
        items.collect()
    }

    fn fields(&mut self, fields: &'static [&'static str]) -> Fields {
        let mut forms = Fields::new();
        let mut present = Vec::new();
        for field in fields {
            match self.present_name(field) {
                Some(name) if name != *field && fields.contains(&name) => {
                    forms.insert((*field).to_owned(), Form::Was(name.to_owned()));
                }
                _ => present.push(*field),
            }
        }
        for field in &present {
            let others = present.iter().copied().filter(|other| other != field);
            if let Some(form) = self.field(field, others.collect()) {
                forms.insert((*field).to_owned(), form);
            }
        }
        forms
    }

    /// Returns the name that the type uses for a field, if the probe finds it.
    fn present_name(&mut self, name: &'static str) -> Option<&'static str> {
        let shape = self.within(PathPart::Twice(name), |trace| (trace.probe)(trace.path));
        match shape {
            Some(Shape::FieldName(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns the form of a field, or `None` if the type does not read it.
    fn field(&mut self, name: &'static str, others: Vec<&'static str>) -> Option<Form> {
        let shape = self.within(PathPart::Field(name), |trace| (trace.probe)(trace.path));
        if matches!(shape, Some(Shape::Ignored)) {
            return None;
        }
        let form = self.part(PathPart::Field(name));
        let without = self.within(PathPart::Only(others), |trace| (trace.probe)(trace.path));
        let is_default = matches!(without, Some(Shape::Default));
        if is_default && !matches!(form, Form::Option(_)) {
            return Some(Form::Default(Box::new(form)));
        }
        Some(form)
    }

    /// Returns `true` if the type rejects a field that it does not have.
    fn is_strict(&mut self) -> bool {
        let unknown = self.within(PathPart::Unknown, |trace| (trace.probe)(trace.path));
        unknown.is_none()
    }

    fn variants(&mut self, names: &'static [&'static str]) -> BTreeMap<String, Variant> {
        let present = self.within(PathPart::Unknown, |trace| (trace.probe)(trace.path));
        let is_older = |name: &&str| match present {
            Some(Shape::VariantNames(present)) => !present.contains(name),
            _ => false,
        };
        let variants = names.iter().enumerate().map(|(index, name)| {
            let variant = self.within(PathPart::Variant(index), Self::variant);
            let variant = match is_older(name) {
                true => Variant::Older(Box::new(variant)),
                false => variant,
            };
            ((*name).to_owned(), variant)
        });
        variants.collect()
    }

    fn variant(&mut self) -> Variant {
        match (self.probe)(self.path) {
            Some(Shape::Newtype) => Variant::Value(self.part(PathPart::Inner)),
            Some(Shape::Tuple(length)) => Variant::Tuple(self.items(length)),
            Some(Shape::Struct { fields, .. }) => {
                let forms = self.fields(fields);
                match self.is_strict() {
                    true => Variant::Strict(forms),
                    false => Variant::Struct(forms),
                }
            }
            Some(Shape::Unit) => Variant::Unit,
            _ => Variant::Value(Form::name("unknown")),
        }
    }
}

/// Returns the name of a type without the paths in it.
fn without_paths(type_name: &str) -> String {
    let mut short = String::new();
    let mut start = 0;
    for part in type_name.split("::") {
        // The last identifier so far is the name of a module or a crate.
        short.truncate(start);
        short.push_str(part);
        let after = short.rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
        start = after.map_or(0, |at| at + 1);
    }
    short
}

#[cfg(test)]
mod tests {
    use super::without_paths;

    #[test]
    fn paths_are_removed_from_names() {
        let name = "app::orders::Page<alloc::vec::Vec<app::Order>, u8>";
        assert_eq!(without_paths(name), "Page<Vec<Order>, u8>");
        assert_eq!(without_paths("(u8, a::B)"), "(u8, B)");
    }
}
