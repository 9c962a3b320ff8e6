//! What a caller has to know of a function.

use super::patterns::Bound;
use super::ty::Ty;

/// Where a function stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    Module,
    /// Among the methods of `Host`.
    Host,
    /// Among those of `Shelf<T>`.
    Shelf,
    /// It is the method of a trait, for `Host`.
    Trait,
}

/// How a function is called, and what comes out.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    pub(crate) home: Home,
    pub(crate) risky: bool,
    /// Whether the bounds stand in a `where`.
    pub(crate) behind: bool,
    pub(crate) generics: Vec<Generic>,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) returns: Ty,
}

/// A parameter in angle brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Generic {
    /// `T: Fresh`.
    Type(String),
    /// `const N: usize`.
    Length(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) mutable: bool,
    pub(crate) ty: Ty,
    /// Lent, and whether the function may change it.
    pub(crate) lent: Option<bool>,
    /// What it binds, if its name is a pattern.
    pub(crate) bound: Option<Vec<Bound>>,
}

/// What stands for the generic parameters in one call.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) chosen: Vec<(String, Ty, String)>,
}

impl Instance {
    /// `::<D, 2>`, if there is anything to be said.
    pub(crate) fn turbofish(&self, callee: &Signature) -> String {
        let own = self
            .chosen
            .iter()
            .skip(usize::from(callee.home == Home::Shelf));
        let given: Vec<&str> = own.map(|(_, _, text)| text.as_str()).collect();
        if given.is_empty() {
            String::new()
        } else {
            format!("::<{}>", given.join(", "))
        }
    }

    /// The path of a function, with what stands for its parameters.
    pub(crate) fn path(&self, callee: &Signature) -> String {
        let name = &callee.name;
        let turbofish = self.turbofish(callee);
        match callee.home {
            Home::Module => format!("{name}{turbofish}"),
            Home::Host | Home::Trait => format!("Host::{name}{turbofish}"),
            Home::Shelf => format!("Shelf::<{}>::{name}{turbofish}", self.chosen[0].2),
        }
    }

    /// The type, with what stands for the parameters.
    pub(crate) fn apply(&self, ty: &Ty) -> Ty {
        let inner = |ty: &Ty| Box::new(self.apply(ty));
        let known = |name: &String| self.chosen.iter().find(|(known, _, _)| known == name);
        match ty {
            Ty::Param(name) => known(name).map_or(ty.clone(), |(_, ty, _)| ty.clone()),
            Ty::Numbers(name) => {
                Ty::Numbers(known(name).map_or(name.clone(), |(_, _, text)| text.clone()))
            }
            Ty::Maybe(ty) => Ty::Maybe(inner(ty)),
            Ty::Outcome(ty, bitter) => Ty::Outcome(inner(ty), *bitter),
            Ty::Both(a, b) => Ty::Both(inner(a), inner(b)),
            Ty::Boxed(ty) => Ty::Boxed(inner(ty)),
            Ty::List(ty) => Ty::List(inner(ty)),
            Ty::Shelf(ty) => Ty::Shelf(inner(ty)),
            other => other.clone(),
        }
    }
}

impl Signature {
    /// Whether its type can be read from a call: there is no place for a lifetime in one.
    pub(crate) fn is_callable(&self) -> bool {
        let named = |argument: &Argument| matches!(argument.ty, Ty::Outside | Ty::Some);
        self.home != Home::Trait && !self.arguments.iter().any(named)
    }

    /// What it is instantiated with inside of itself.
    pub(crate) fn own_instance(&self) -> Instance {
        let own = |generic: &Generic| match generic {
            Generic::Type(name) => (name.clone(), Ty::Param(name.clone()), name.clone()),
            Generic::Length(name) => (name.clone(), Ty::Unit, name.clone()),
        };
        Instance {
            chosen: self.generics.iter().map(own).collect(),
        }
    }
}
