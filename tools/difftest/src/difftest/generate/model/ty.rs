//! The types that values of generated functions have.

use std::fmt;

use super::super::rng::Rng;

/// A type; it is printed as it is written in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Unit,
    U32,
    /// `u64`.
    Wide,
    Bool,
    Noisy,
    Pair,
    /// A type with parts that can be moved, and methods of every kind.
    PartlyMovable,
    /// A type with methods.
    Host,
    Mixed,
    CopyWithDrop,
    Text,
    ErrorA,
    ErrorB,
    /// `[u32; N]`, of a number or of a const parameter.
    Numbers(String),
    /// A type parameter.
    Param(String),
    /// `impl Fresh`.
    Some,
    /// `&'a DropLogger`.
    Outside,
    /// Large, and without a destructor.
    LargeValue,
    /// A large array.
    Bytes,
    /// The future that a trait's method gives, of a type parameter.
    Later(String),
    Source,
    Maybe(Box<Ty>),
    /// The error is `ErrorB` rather than `ErrorA`.
    Outcome(Box<Ty>, bool),
    Both(Box<Ty>, Box<Ty>),
    Boxed(Box<Ty>),
    List(Box<Ty>),
    /// A generic type with methods.
    OtherImpl(Box<Ty>),
    /// A future that is kept in a local.
    Step(Box<Ty>),
    /// A boxed future that is kept in a local.
    Hidden(Box<Ty>),
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Unit => f.write_str("()"),
            Ty::U32 => f.write_str("u32"),
            Ty::Wide => f.write_str("u64"),
            Ty::Bool => f.write_str("bool"),
            Ty::Noisy => f.write_str("DropLogger"),
            Ty::Pair => f.write_str("Pair"),
            Ty::Host => f.write_str("Host"),
            Ty::PartlyMovable => f.write_str("PartlyMovable"),
            Ty::Some => f.write_str("impl Fresh"),
            Ty::OtherImpl(ty) => write!(f, "OtherImpl<{ty}>"),
            Ty::Mixed => f.write_str("Mixed"),
            Ty::CopyWithDrop => f.write_str("CopyWithDrop"),
            Ty::Text => f.write_str("String"),
            Ty::ErrorA => f.write_str("ErrorA"),
            Ty::ErrorB => f.write_str("ErrorB"),
            Ty::Source => f.write_str("Source"),
            Ty::LargeValue => f.write_str("LargeValue"),
            Ty::Bytes => f.write_str("[u8; 256]"),
            Ty::Later(name) => write!(f, "{name}::Later"),
            Ty::Numbers(length) => write!(f, "[u32; {length}]"),
            Ty::Param(name) => f.write_str(name),
            Ty::Outside => f.write_str("&'a DropLogger"),
            Ty::Maybe(ty) => write!(f, "Option<{ty}>"),
            Ty::Outcome(ty, false) => write!(f, "Result<{ty}, ErrorA>"),
            Ty::Outcome(ty, true) => write!(f, "Result<{ty}, ErrorB>"),
            Ty::Both(a, b) => write!(f, "({a}, {b})"),
            Ty::Boxed(ty) => write!(f, "Box<{ty}>"),
            Ty::List(ty) => write!(f, "Vec<{ty}>"),
            Ty::Step(ty) => write!(f, "Step<{ty}>"),
            Ty::Hidden(ty) => write!(f, "Pin<Box<dyn Future<Output = {ty}>>>"),
        }
    }
}

impl Ty {
    /// The types that a type parameter can have.
    pub(crate) const FRESH: [Ty; 3] = [Ty::Noisy, Ty::U32, Ty::Pair];

    pub(crate) fn maybe(self) -> Ty {
        Ty::Maybe(Box::new(self))
    }

    pub(crate) fn outcome(self, bitter: bool) -> Ty {
        Ty::Outcome(Box::new(self), bitter)
    }

    /// Returns `true` if the type is `Copy`.
    pub(crate) fn copies(&self) -> bool {
        match self {
            Ty::Unit | Ty::U32 | Ty::Wide | Ty::Bool => true,
            Ty::Numbers(_) | Ty::Bytes | Ty::Outside => true,
            Ty::Maybe(ty) => ty.copies(),
            Ty::Both(a, b) => a.copies() && b.copies(),
            _ => false,
        }
    }

    /// Returns `true` if the type can be passed to `look`.
    pub(crate) fn looks(&self) -> bool {
        match self {
            Ty::Step(_) | Ty::Hidden(_) | Ty::Later(_) | Ty::Source => false,
            Ty::Maybe(ty) | Ty::Outcome(ty, _) | Ty::Boxed(ty) | Ty::List(ty) => ty.looks(),
            Ty::Both(a, b) => a.looks() && b.looks(),
            _ => true,
        }
    }

    /// Returns a random type that can be used anywhere.
    pub(crate) fn random(rng: &mut Rng) -> Ty {
        let depth = 1;
        Self::random_below(rng, depth)
    }

    fn random_below(rng: &mut Rng, depth: usize) -> Ty {
        let inner = |rng: &mut Rng| Box::new(Self::random_below(rng, depth - 1));
        let nested = if depth == 0 { 0 } else { 3 };
        match rng.weighted(&[
            20,
            4,
            26,
            5,
            4,
            2,
            4,
            4,
            nested * 3,
            nested * 2,
            nested,
            nested,
            nested,
            4,
            nested,
            2,
            1,
            5,
            14,
        ]) {
            0 => Ty::U32,
            1 => Ty::Bool,
            2 => Ty::Noisy,
            3 => Ty::Pair,
            4 => Ty::Mixed,
            5 => Ty::CopyWithDrop,
            6 => Ty::Text,
            7 => Ty::Numbers(rng.pick(&["1", "3", "20", "64"]).to_owned()),
            8 => Ty::Maybe(inner(rng)),
            9 => Ty::Outcome(inner(rng), false),
            10 => Ty::Both(inner(rng), inner(rng)),
            11 => Ty::Boxed(inner(rng)),
            12 => Ty::List(Box::new(Ty::Noisy)),
            13 => Ty::Host,
            14 => Ty::OtherImpl(Box::new(rng.pick(&Ty::FRESH))),
            15 => Ty::LargeValue,
            16 => Ty::Bytes,
            17 => Ty::Wide,
            _ => Ty::PartlyMovable,
        }
    }
}
