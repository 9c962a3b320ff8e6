//! What a caller has to know of a function.

use super::ty::Ty;

/// How a function is called, and what comes out.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
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
}

/// What stands for the generic parameters in one call.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) chosen: Vec<(String, Ty, String)>,
}

impl Instance {
    /// `::<D, 2>`, if there is anything to be said.
    pub(crate) fn turbofish(&self) -> String {
        let given: Vec<&str> = self
            .chosen
            .iter()
            .map(|(_, _, text)| text.as_str())
            .collect();
        if given.is_empty() {
            String::new()
        } else {
            format!("::<{}>", given.join(", "))
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
            other => other.clone(),
        }
    }
}

impl Signature {
    /// Whether its type can be read from a call: there is no place for a lifetime in one.
    pub(crate) fn is_callable(&self) -> bool {
        let named = |argument: &Argument| argument.ty == Ty::Outside;
        !self.arguments.iter().any(named)
    }

    /// Whether something is only lent to it.
    pub(crate) fn lends(&self) -> bool {
        self.arguments
            .iter()
            .any(|argument| argument.lent.is_some())
    }
}
