//! `FormChanges`: the changes between the forms of one value in two builds.

use std::collections::{BTreeMap, BTreeSet};

use super::change::Effect;
use super::scalars::scalar_effect;
use crate::schema::form::{Definition, Fields, Form, Types, Variant};

/// A change at a path in a value.
#[derive(Debug)]
pub(super) struct FormChange {
    pub(super) path: Vec<String>,
    pub(super) effect: Effect,
    pub(super) text: String,
}

/// The changes between the forms of one value in two builds.
pub(super) struct FormChanges<'t> {
    pub(super) old: &'t Types,
    pub(super) new: &'t Types,
    /// The names of definitions that were compared. Types may be recursive.
    compared: BTreeSet<(String, String)>,
    path: Vec<String>,
    pub(super) changes: Vec<FormChange>,
}

impl<'t> FormChanges<'t> {
    pub(super) const fn new(old: &'t Types, new: &'t Types) -> Self {
        Self {
            old,
            new,
            compared: BTreeSet::new(),
            path: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Compares the fields of a struct or of a state, which ignores other fields.
    pub(super) fn fields(&mut self, old: &Fields, new: &Fields) {
        self.all_fields(old, new, |changes, _| {
            changes.add(Effect::Loads, "was removed, and its value is ignored");
        });
    }

    /// Compares the fields of a struct that rejects other fields.
    fn strict_fields(&mut self, old: &Fields, new: &Fields) {
        self.all_fields(old, new, |changes, removed| {
            // A field with a default may be one that `Serialize` skips.
            let effect = match removed {
                Form::Default(_) => Effect::Depends,
                _ => Effect::Parks,
            };
            let text =
                "was removed from a type with `deny_unknown_fields`, which rejects its value";
            changes.add(effect, text);
        });
    }

    fn all_fields(&mut self, old: &Fields, new: &Fields, removed: impl Fn(&mut Self, &Form)) {
        for (name, form) in old {
            self.within(name, |changes| match (form, new.get(name)) {
                (Form::Was(_), Some(_)) => {}
                (Form::Was(_), None) => changes.add(
                    Effect::Depends,
                    "was an older name, and values that an earlier build stored with it are lost",
                ),
                (_, Some(Form::Was(present))) => {
                    changes.add(Effect::Loads, format!("is `{present}` now"));
                    if let Some(changed) = new.get(present) {
                        changes.field(form, changed);
                    }
                }
                (_, Some(changed)) => changes.field(form, changed),
                (_, None) => removed(changes, form),
            });
        }
        let stored = |name: &String| old.get(name).is_some_and(|it| !matches!(it, Form::Was(_)));
        let older = new.iter().filter(|(name, _)| stored(name));
        let renamed: Vec<_> = older
            .filter_map(|(_, form)| match form {
                Form::Was(present) => Some(present),
                _ => None,
            })
            .collect();
        for (name, form) in new {
            let is_added = !stored(name) && !renamed.contains(&name);
            if is_added && !matches!(form, Form::Was(_)) {
                self.within(name, |changes| changes.added(form));
            }
        }
    }

    fn added(&mut self, form: &Form) {
        match form.of_field() {
            (_, true) => self.add(Effect::Loads, "was added, and has a default"),
            (_, false) => {
                let text = format!("was added with the type `{form}`, and has no default");
                self.add(Effect::Parks, text);
            }
        }
    }

    fn field(&mut self, old: &Form, new: &Form) {
        let ((old_form, may_miss), (new_form, has_default)) = (old.of_field(), new.of_field());
        if may_miss && !has_default && matches!(old, Form::Default(_)) {
            self.add(
                Effect::Loads,
                "no longer has a default, which no snapshot needs",
            );
        }
        self.form(old_form, new_form);
    }

    /// Compares two forms.
    pub(super) fn form(&mut self, old: &Form, new: &Form) {
        match (old, new) {
            (Form::Default(old), _) => self.form(old, new),
            (_, Form::Default(new)) => self.form(old, new),
            (Form::Name(old_name), Form::Name(new_name)) => self.names(old_name, new_name),
            (Form::Option(old), Form::Option(new)) => self.form(old, new),
            (_, Form::Option(new)) => self.form(old, new),
            (Form::Option(inner), _) => {
                let text = format!("was `{old}`, and `None` is no value of `{new}`");
                self.add(Effect::Depends, text);
                self.form(inner, new);
            }
            (Form::List(old), Form::List(new)) => self.within("[]", |it| it.form(old, new)),
            (Form::Map(old), Form::Map(new)) => {
                self.within("keys", |changes| changes.form(&old.0, &new.0));
                self.within("values", |changes| changes.form(&old.1, &new.1));
            }
            (Form::Tuple(old), Form::Tuple(new)) if old.len() == new.len() => {
                self.items(old, new);
            }
            (_, Form::Name(name)) if name == "any" => {}
            _ => self.add_replaced(Effect::Parks, old, new),
        }
    }

    fn names(&mut self, old: &str, new: &str) {
        let definitions = (self.old.get(old), self.new.get(new));
        match definitions {
            (None, None) if old == new => {}
            (None, None) => {
                let effect = scalar_effect(old, new);
                self.add_replaced(effect, &Form::name(old), &Form::name(new));
            }
            (Some(before), Some(after)) => {
                if self.compared.insert((old.to_owned(), new.to_owned())) {
                    self.definitions(before, after, (old, new));
                }
            }
            (Some(_), None) if new == "any" => {}
            _ => {
                let is_unknown = [old, new]
                    .iter()
                    .any(|name| matches!(*name, "any" | "unknown"));
                let effect = match is_unknown {
                    true => Effect::Depends,
                    false => Effect::Parks,
                };
                self.add_replaced(effect, &Form::name(old), &Form::name(new));
            }
        }
    }

    fn definitions(&mut self, old: &Definition, new: &Definition, names: (&str, &str)) {
        match (old, new) {
            (Definition::Struct(old), Definition::Strict(new)) => {
                self.add_strict();
                self.strict_fields(old, new);
            }
            (Definition::Strict(old), Definition::Strict(new)) => self.strict_fields(old, new),
            (Definition::Struct(old) | Definition::Strict(old), Definition::Struct(new)) => {
                self.fields(old, new);
            }
            (Definition::Enum(old), Definition::Enum(new)) => self.variants(old, new),
            _ => self.add_replaced(Effect::Parks, &Form::name(names.0), &Form::name(names.1)),
        }
    }

    fn variants(&mut self, old: &BTreeMap<String, Variant>, new: &BTreeMap<String, Variant>) {
        for (name, variant) in old {
            match new.get(name) {
                Some(changed) => self.within(name, |changes| changes.variant(variant, changed)),
                None => self.within(name, |changes| {
                    changes.add(Effect::Depends, "was removed: its values cannot be read");
                }),
            }
        }
        for name in new.keys().filter(|name| !old.contains_key(*name)) {
            self.within(name, |changes| changes.add(Effect::Loads, "was added"));
        }
    }

    fn variant(&mut self, old: &Variant, new: &Variant) {
        match (old, new) {
            (Variant::Older(old), new) => self.variant(old, new),
            (old, Variant::Older(new)) => self.variant(old, new),
            (Variant::Unit, Variant::Unit) => {}
            (Variant::Value(old), Variant::Value(new)) => self.form(old, new),
            (Variant::Struct(old), Variant::Strict(new)) => {
                self.add_strict();
                self.strict_fields(old, new);
            }
            (Variant::Strict(old), Variant::Strict(new)) => self.strict_fields(old, new),
            (Variant::Struct(old) | Variant::Strict(old), Variant::Struct(new)) => {
                self.fields(old, new);
            }
            (Variant::Tuple(old), Variant::Tuple(new)) if old.len() == new.len() => {
                self.items(old, new);
            }
            _ => self.add(
                Effect::Depends,
                "has other contents, so its values cannot be read",
            ),
        }
    }

    fn items(&mut self, old: &[Form], new: &[Form]) {
        for (index, (old, new)) in old.iter().zip(new).enumerate() {
            self.within(&index.to_string(), |changes| changes.form(old, new));
        }
    }

    fn within(&mut self, name: &str, call: impl FnOnce(&mut Self)) {
        self.path.push(name.to_owned());
        call(self);
        self.path.pop();
    }

    fn add_strict(&mut self) {
        self.add(
            Effect::Depends,
            "has `deny_unknown_fields` now, so values with fields of older builds cannot be read",
        );
    }

    fn add_replaced(&mut self, effect: Effect, old: &Form, new: &Form) {
        self.add(effect, format!("was `{old}`, and is `{new}`"));
    }

    fn add(&mut self, effect: Effect, text: impl Into<String>) {
        self.changes.push(FormChange {
            path: self.path.clone(),
            effect,
            text: text.into(),
        });
    }
}
