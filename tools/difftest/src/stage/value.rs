//! Values that say what becomes of them, and questions to the script.

use super::future::{Step, step};
use super::log::{ask, event, quiet};

/// Says when it is made and dropped.
#[derive(Debug)]
pub struct D(u32);

impl Drop for D {
    fn drop(&mut self) {
        quiet("drop", self.0);
    }
}

/// Makes a `D`.
pub fn d(id: u32) -> D {
    event("make", id);
    D(id)
}

/// A value with a destructor beside one without.
#[derive(Debug)]
pub struct Pair {
    /// Can be copied out.
    pub n: u32,
    /// Can be moved out.
    pub d: D,
}

/// Either a number or a value with a destructor; nothing of its own to drop.
#[derive(Debug)]
pub enum Mixed {
    /// Can be copied out.
    Number(u32),
    /// Can be moved out.
    Value(D),
    /// Holds nothing.
    Empty,
}

/// A destructor of its own around what can be copied out of it.
#[derive(Debug)]
pub enum Guarded {
    /// Can be copied out.
    Number(u32),
    /// Holds nothing.
    Empty,
}

impl Drop for Guarded {
    fn drop(&mut self) {
        quiet("unguard", self.number());
    }
}

/// An error with a destructor.
#[derive(Debug)]
pub struct Sour(D);

/// Makes an error.
pub fn sour(id: u32) -> Sour {
    Sour(d(id))
}

/// What [`Sour`] turns into on its way out.
#[derive(Debug)]
pub struct Bitter(D);

impl From<Sour> for Bitter {
    fn from(sour: Sour) -> Self {
        event("embitter", sour.0.0);
        Self(sour.0)
    }
}

/// What can be looked at.
pub trait Look {
    /// A number that tells two values apart.
    fn number(&self) -> u32;
}

impl std::fmt::Debug for dyn Look {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// A pattern.
#[macro_export]
macro_rules! one {
    () => {
        1u32
    };
}

macro_rules! looks {
    ($($ty:ty: $this:ident => $number:expr;)*) => {
        $(impl Look for $ty {
            fn number(&self) -> u32 {
                let $this = self;
                $number
            }
        })*
    };
}

looks! {
    (): _this => 0;
    u8: this => u32::from(*this);
    u32: this => *this;
    i32: this => *this as u32;
    u64: this => *this as u32;
    bool: this => u32::from(*this);
    String: this => this.len() as u32;
    D: this => this.0;
    Pair: this => this.n ^ this.d.0;
    Sour: this => this.0.0;
    Bitter: this => this.0.0;
    Mixed: this => match this {
        Mixed::Number(n) => *n,
        Mixed::Value(d) => d.0,
        Mixed::Empty => 0,
    };
    Guarded: this => match this {
        Guarded::Number(n) => *n,
        Guarded::Empty => 0,
    };
}

impl<T: Look> Look for Option<T> {
    fn number(&self) -> u32 {
        self.as_ref().map_or(7, Look::number)
    }
}

impl<T: Look, E: Look> Look for Result<T, E> {
    fn number(&self) -> u32 {
        match self {
            Ok(value) => value.number(),
            Err(error) => error.number() + 1,
        }
    }
}

impl<T: Look, U: Look> Look for (T, U) {
    fn number(&self) -> u32 {
        self.0.number() ^ (self.1.number() << 8)
    }
}

impl<T: Look, const N: usize> Look for [T; N] {
    fn number(&self) -> u32 {
        self.iter().map(Look::number).fold(0, u32::wrapping_add)
    }
}

impl<T: Look> Look for Vec<T> {
    fn number(&self) -> u32 {
        self.iter().map(Look::number).fold(0, u32::wrapping_add)
    }
}

impl<T: Look + ?Sized> Look for Box<T> {
    fn number(&self) -> u32 {
        (**self).number()
    }
}

impl<T: Look + ?Sized> Look for &T {
    fn number(&self) -> u32 {
        (**self).number()
    }
}

/// What can be made out of nothing.
pub trait Fresh: Look + std::fmt::Debug + Unpin + 'static {
    /// What gives one later.
    type Later: Future<Output = Self> + Unpin;

    /// Makes one.
    fn fresh(id: u32) -> Self;

    /// Makes one, which has to be waited for.
    fn later(id: u32) -> Self::Later;
}

impl Fresh for D {
    type Later = Step<Self>;

    fn fresh(id: u32) -> Self {
        d(id)
    }

    fn later(id: u32) -> Step<Self> {
        step(id, Self::fresh(id))
    }
}

impl Fresh for u32 {
    type Later = Step<Self>;

    fn fresh(id: u32) -> Self {
        num(id)
    }

    fn later(id: u32) -> Step<Self> {
        step(id, Self::fresh(id))
    }
}

impl Fresh for Pair {
    type Later = Step<Self>;

    fn fresh(id: u32) -> Self {
        Pair { n: id, d: d(id) }
    }

    fn later(id: u32) -> Step<Self> {
        step(id, Self::fresh(id))
    }
}

/// Both, once there are both.
pub fn two<A, B>(a: A, b: B) -> (A, B) {
    event("two", 2);
    (a, b)
}

/// Looks at a value.
pub fn look<T: Look + ?Sized>(value: &T) {
    event("look", value.number());
}

/// Changes a value in place.
pub fn touch(value: &mut D) {
    event("touch", value.0);
    value.0 = value.0.wrapping_add(1000);
}

/// Takes a value to its end.
pub fn consume<T: Look>(value: T) {
    event("consume", value.number());
}

/// Gives back what it gets, beside another value.
pub fn by<T>(other: &D, value: T) -> T {
    event("by", other.0);
    value
}

/// Gives back what it gets.
pub fn pass<T: Look>(value: T) -> T {
    event("pass", value.number());
    value
}

/// A small number.
pub fn num(id: u32) -> u32 {
    event("num", id);
    ask(|script| script.draw(6))
}

/// Yes or no.
pub fn flip(id: u32) -> bool {
    event("flip", id);
    ask(|script| script.flip())
}

/// Whether to go on; not for ever.
pub fn more(id: u32) -> bool {
    event("more", id);
    ask(|script| !script.is_worn(id) && script.flip())
}

/// A value, as long as it is to go on.
pub fn again<T>(id: u32, make: impl FnOnce() -> T) -> Option<T> {
    if more(id) { Some(make()) } else { None }
}

/// Whether to stop; some time it is.
pub fn done(id: u32) -> bool {
    event("done", id);
    ask(|script| script.is_worn(id) || script.flip())
}

/// The value, or nothing.
pub fn maybe<T>(id: u32, value: T) -> Option<T> {
    event("maybe", id);
    ask(|script| script.flip()).then_some(value)
}

/// The value, or an error.
///
/// # Errors
///
/// When the script says so.
pub fn outcome<T>(id: u32, value: T) -> Result<T, Sour> {
    event("outcome", id);
    if ask(|script| script.flip()) {
        Ok(value)
    } else {
        Err(sour(id))
    }
}
