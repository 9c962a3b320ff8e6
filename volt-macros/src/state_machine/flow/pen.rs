//! What draws the graph: where it stands, what names mean there, where jumps lead.

use proc_macro2::Ident;
use syn::{Expr, ExprMethodCall, Item, Macro, Pat, Type};

use super::graph::{Custom, Event, Flow, Place, Suspect};
use crate::state_machine::body::{Body, Glue, LocalId};
use crate::state_machine::pattern::{is_whole, unascribed};
use crate::state_machine::scope::{
    bindings, brings_all, is_upper_name, mentioned, names_of_item, names_of_use,
};
use crate::state_machine::taken::{may_only_look, may_take, takes_by_custom};

/// What stands among the names for a `use` of everything.
const EVERYTHING: &str = "use *";

/// Where `break` and `continue` go.
pub(super) struct Target {
    pub(super) label: Option<String>,
    pub(super) is_loop: bool,
    pub(super) after: Place,
    pub(super) head: Option<Place>,
}

pub(super) struct Pen<'a> {
    pub(super) body: &'a Body,
    pub(super) flow: Flow,
    /// The place just drawn, unless it cannot be reached.
    pub(super) here: Option<Place>,
    /// What names mean; `None` for locals of expressions that stay whole.
    pub(super) names: Vec<(String, Option<LocalId>)>,
    pub(super) scope: Vec<LocalId>,
    pub(super) targets: Vec<Target>,
}

impl Pen<'_> {
    pub(super) fn place(&mut self, event: Event) -> Place {
        self.flow.events.push(event);
        self.flow.next.push(Vec::new());
        self.flow.events.len() - 1
    }

    pub(super) fn edge_to(&mut self, place: Place) {
        if let Some(here) = self.here {
            self.flow.next[here].push(place);
        }
    }

    pub(super) fn go(&mut self, place: Place) {
        self.edge_to(place);
        self.here = Some(place);
    }

    pub(super) fn event(&mut self, event: Event) {
        let place = self.place(event);
        self.go(place);
    }

    /// Notes that a local is moved if the pattern takes all of it apart, and whether it is.
    pub(super) fn takes_apart(&mut self, local: LocalId, pat: &Pat) -> bool {
        let whole = is_whole(pat);
        if whole {
            self.flow.apart.push((local, pat.clone()));
        }
        whole
    }

    /// The initial value of a `let`: a pattern may take only parts of a local.
    pub(super) fn initial(&mut self, pat: &Pat, init: &Expr) {
        let pat = unascribed(pat);
        match (pat, self.local(init)) {
            (Pat::Wild(_), _) => self.look(init),
            (Pat::Ident(pat), Some(_)) if pat.by_ref.is_some() || is_upper_name(pat) => {
                self.look(init);
            }
            (Pat::Ident(_), _) | (_, None) => self.value(init),
            (_, Some(local)) => {
                let whole = self.takes_apart(local, pat);
                self.event(if whole {
                    Event::Open(local)
                } else {
                    Event::Use(local)
                });
            }
        }
    }

    /// Notes a method that may take what it is called on: it does by custom, or nothing tells.
    pub(super) fn suspect(&mut self, call: &ExprMethodCall) {
        let (Some(local), Some(place)) = (self.local(&call.receiver), self.here) else {
            return;
        };
        let method = call.method.clone();
        let info = &self.body.locals[local];
        let custom = custom_of(&method);
        let is_custom = custom == Custom::Takes;
        let is_reference = matches!(info.ty, Some(Type::Reference(_)));
        let looks = !is_custom && may_only_look(info.likely_type(), &method);
        let is_asked = is_custom || info.ty.is_some() && info.glue == Glue::Concrete;
        if !is_reference && !looks && is_asked {
            self.flow.suspects.push(Suspect {
                local,
                place,
                method,
                custom,
            });
        }
    }

    /// An event at which the locals in scope matter.
    pub(super) fn point(&mut self, event: Event) -> Place {
        let place = self.place(event);
        self.flow.in_scope.push((place, self.scope.clone()));
        place
    }

    pub(super) fn land(&mut self, place: Place) {
        self.here = self.is_reached(place).then_some(place);
    }

    pub(super) fn is_reached(&self, place: Place) -> bool {
        self.flow.next.iter().any(|next| next.contains(&place))
    }

    // Scopes.

    pub(super) fn declare(&mut self, local: LocalId, value: bool) {
        let name = self.body.locals[local].name.to_string();
        self.names.push((name, Some(local)));
        self.scope.push(local);
        self.event(Event::Declare(local, value));
    }

    pub(super) fn hide(&mut self, pat: &Pat) {
        for binding in bindings(pat) {
            self.names.push((binding.ident.to_string(), None));
        }
    }

    /// Items hide the locals around their block. What a `use` brings may do so too, if it is a value.
    pub(super) fn items<'i>(&mut self, items: impl Iterator<Item = &'i Item>) {
        for item in items {
            for name in names_of_item(item) {
                self.names.push((name.to_string(), None));
            }
            if let Item::Use(item) = item {
                let brought = names_of_use(&item.tree).into_iter();
                self.names
                    .extend(brought.map(|name| (format!("use {name}"), None)));
                if brings_all(&item.tree) {
                    self.names.push((EVERYTHING.to_owned(), None));
                }
            }
        }
    }

    /// Notes the locals that a `use` in a block that awaits may hide: they are kept by their names.
    pub(super) fn doubt_uses<'i>(&mut self, items: impl Iterator<Item = &'i Item>) {
        for item in items {
            let Item::Use(item) = item else { continue };
            let hidden: Vec<Ident> = match brings_all(&item.tree) {
                true => {
                    let visible = self.names.iter().filter_map(|(_, local)| *local);
                    let names = visible.map(|local| self.body.locals[local].name.clone());
                    names.collect()
                }
                false => {
                    let named = names_of_use(&item.tree).into_iter();
                    let named = named.filter(|name| self.lookup(&name.to_string()).is_some());
                    named.cloned().collect()
                }
            };
            self.flow.doubts.places.extend(hidden);
        }
    }

    /// A macro among the statements may declare what it is given the name of.
    pub(super) fn declares(&mut self, mac: &Macro) {
        if let Some(last) = mac.path.segments.last() {
            let mut words = Vec::new();
            mentioned(mac.tokens.clone(), &mut words);
            let declared = words.iter().map(|word| format!("{}! {word}", last.ident));
            self.names.extend(declared.map(|entry| (entry, None)));
        }
    }

    /// Notes what the name of a local may mean instead, for a proof that it does not.
    pub(super) fn doubt(&mut self, name: &Ident) {
        let inner = self.names.iter().rev();
        let inner = inner.take_while(|(known, _)| name != known);
        let (brought, declared) = (format!("use {name}"), format!("! {name}"));
        for (known, _) in inner {
            if let Some(mac) = known.strip_suffix(&declared) {
                self.flow.doubts.macros.push(mac.to_owned());
            }
            if *known == brought || known == EVERYTHING {
                self.flow.doubts.places.push(name.clone());
            }
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<LocalId> {
        let found = self.names.iter().rev().find(|(known, _)| known == name);
        found.and_then(|(_, local)| *local)
    }

    pub(super) fn leave(&mut self, depth: usize) {
        for local in self.scope.split_off(depth).into_iter().rev() {
            self.event(Event::Leave(local));
        }
    }

    pub(super) fn scoped(&mut self, body: impl FnOnce(&mut Self)) {
        let (names, depth) = (self.names.len(), self.scope.len());
        body(self);
        self.leave(depth);
        self.names.truncate(names);
    }

    // Jumps.

    pub(super) fn jump(&mut self, label: Option<&syn::Lifetime>, again: bool) {
        let mut targets = self.targets.iter().rev();
        let found = match label {
            Some(label) => {
                let name = label.ident.to_string();
                targets.find(|target| target.label.as_ref() == Some(&name))
            }
            None => targets.find(|target| target.is_loop),
        };
        let place = found.and_then(|target| {
            if again {
                target.head
            } else {
                Some(target.after)
            }
        });
        if let Some(place) = place {
            self.edge_to(place);
        }
        self.here = None;
    }
}

/// What custom says of a method.
fn custom_of(method: &Ident) -> Custom {
    match () {
        () if takes_by_custom(method) => Custom::Takes,
        () if may_take(method) => Custom::MayTake,
        () => Custom::Silent,
    }
}
