//! The signature of a function, for its callers.

use super::super::ty::Ty;

/// A name that a pattern binds.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) mutable: bool,
    /// `true` if the type is written next to the pattern.
    pub(crate) typed: bool,
}

/// The place of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    Module,
    /// A method of `Host`.
    Host,
    /// A method of `OtherImpl<T>`.
    OtherImpl,
    /// A method of a trait that `Host` implements.
    Trait,
}

/// The call and the output of a function.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    pub(crate) home: Home,
    pub(crate) risky: bool,
    /// `true` if the bounds are in a `where` clause.
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
    /// `Some` if the argument is borrowed; `true` if the function may change it.
    pub(crate) borrowed: Option<bool>,
    /// The names that it binds, if it is a pattern.
    pub(crate) bound: Option<Vec<Bound>>,
}

/// The generic arguments of one call.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) chosen: Vec<(String, Ty, String)>,
}

impl Instance {
    /// Returns `::<DropLogger, 2>`, if there are generic arguments.
    pub(crate) fn turbofish(&self, callee: &Signature) -> String {
        let own = self
            .chosen
            .iter()
            .skip(usize::from(callee.home == Home::OtherImpl));
        let given: Vec<&str> = own.map(|(_, _, text)| text.as_str()).collect();
        if given.is_empty() {
            String::new()
        } else {
            format!("::<{}>", given.join(", "))
        }
    }

    /// Returns the path of a function, with its generic arguments.
    pub(crate) fn path(&self, callee: &Signature) -> String {
        let name = &callee.name;
        let turbofish = self.turbofish(callee);
        match callee.home {
            Home::Module => format!("{name}{turbofish}"),
            Home::Host | Home::Trait => format!("Host::{name}{turbofish}"),
            Home::OtherImpl => format!("OtherImpl::<{}>::{name}{turbofish}", self.chosen[0].2),
        }
    }

    /// Returns the type, with the generic arguments in the place of the parameters.
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
            Ty::OtherImpl(ty) => Ty::OtherImpl(inner(ty)),
            other => other.clone(),
        }
    }
}

impl Signature {
    /// Returns `true` if its type can be read from a call: a call has no place for a lifetime.
    pub(crate) fn is_callable(&self) -> bool {
        let named = |argument: &Argument| matches!(argument.ty, Ty::Outside | Ty::Some);
        self.home != Home::Trait && !self.arguments.iter().any(named)
    }

    /// Returns the generic arguments of a recursive call.
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
