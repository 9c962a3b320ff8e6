//! Values that log their creation, use and drop, and inputs from the script.

use serde::{Deserialize, Serialize};

use super::future::{Step, step};
use super::log::{ask, event, quiet};

/// Logs its creation and its drop.
#[derive(Debug, Serialize, Deserialize)]
pub struct DropLogger(u32);

impl Drop for DropLogger {
    fn drop(&mut self) {
        quiet("drop", self.0);
    }
}

impl Clone for DropLogger {
    fn clone(&self) -> Self {
        event("clone", self.0);
        Self(self.0 + 1000)
    }
}

/// Makes a `DropLogger`.
pub fn d(id: u32) -> DropLogger {
    event("make", id);
    DropLogger(id)
}

/// A value with a destructor, and a value without one.
#[derive(Debug)]
pub struct Pair {
    /// Can be copied out.
    pub n: u32,
    /// Can be moved out.
    pub d: DropLogger,
}

/// Either a number or a value with a destructor; nothing of its own to drop.
#[derive(Debug)]
pub enum Mixed {
    /// Can be copied out.
    Number(u32),
    /// Can be moved out.
    Value(DropLogger),
    /// Holds nothing.
    Empty,
}

/// A destructor of its own around what can be copied out of it.
#[derive(Debug)]
pub enum CopyWithDrop {
    /// Can be copied out.
    Number(u32),
    /// Holds nothing.
    Empty,
}

impl Drop for CopyWithDrop {
    fn drop(&mut self) {
        quiet("unguard", self.number());
    }
}

/// An error with a destructor.
#[derive(Debug)]
pub struct ErrorA(DropLogger);

/// Makes an error.
pub fn error_a(id: u32) -> ErrorA {
    ErrorA(d(id))
}

/// The error that [`ErrorA`] converts to.
#[derive(Debug)]
pub struct ErrorB(DropLogger);

impl From<ErrorA> for ErrorB {
    fn from(error_a: ErrorA) -> Self {
        event("embitter", error_a.0.0);
        Self(error_a.0)
    }
}

/// A value that can be read.
pub trait Look {
    /// Returns a number that identifies the value.
    fn number(&self) -> u32;
}

impl std::fmt::Debug for dyn Look {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// A constant with the name of a local.
#[allow(non_upper_case_globals, reason = "the name of a local")]
pub const boundary: u32 = 2;

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
    DropLogger: this => this.0;
    Pair: this => this.n ^ this.d.0;
    ErrorA: this => this.0.0;
    ErrorB: this => this.0.0;
    Mixed: this => match this {
        Mixed::Number(n) => *n,
        Mixed::Value(d) => d.0,
        Mixed::Empty => 0,
    };
    CopyWithDrop: this => match this {
        CopyWithDrop::Number(n) => *n,
        CopyWithDrop::Empty => 0,
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

/// A value that can be created from a number.
pub trait Fresh: Look + std::fmt::Debug + Unpin + 'static {
    /// A future that returns one.
    type Later: Future<Output = Self> + Unpin;

    /// Creates one.
    fn fresh(id: u32) -> Self;

    /// Returns a future that creates one.
    fn later(id: u32) -> Self::Later;
}

impl Fresh for DropLogger {
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

/// Returns both values.
pub fn two<A, B>(a: A, b: B) -> (A, B) {
    event("two", 2);
    (a, b)
}

/// Reads a value.
pub fn look<T: Look + ?Sized>(value: &T) {
    event("look", value.number());
}

/// Changes a value in place.
pub fn touch(value: &mut DropLogger) {
    event("touch", value.0);
    value.0 = value.0.wrapping_add(1000);
}

/// Consumes a value.
pub fn consume<T: Look>(value: T) {
    event("consume", value.number());
}

/// Returns its argument, and reads another value.
pub fn by<T>(other: &DropLogger, value: T) -> T {
    event("by", other.0);
    value
}

/// Returns its argument.
pub fn pass<T: Look>(value: T) -> T {
    event("pass", value.number());
    value
}

/// Returns a small number.
pub fn num(id: u32) -> u32 {
    event("num", id);
    ask(|script| script.draw(6))
}

/// Returns `true` or `false`.
pub fn flip(id: u32) -> bool {
    event("flip", id);
    ask(|script| script.flip())
}

/// Returns `true` to continue; eventually `false`.
pub fn more(id: u32) -> bool {
    event("more", id);
    ask(|script| !script.is_worn(id) && script.flip())
}

/// Returns a value as long as [`more`] returns `true`.
pub fn again<T>(id: u32, make: impl FnOnce() -> T) -> Option<T> {
    if more(id) { Some(make()) } else { None }
}

/// Returns `true` to stop; eventually `true`.
pub fn done(id: u32) -> bool {
    event("done", id);
    ask(|script| script.is_worn(id) || script.flip())
}

/// Returns the value, or `None`.
pub fn maybe<T>(id: u32, value: T) -> Option<T> {
    event("maybe", id);
    ask(|script| script.flip()).then_some(value)
}

/// Returns the value, or an error.
///
/// # Errors
///
/// Returns an error if the script selects it.
pub fn outcome<T>(id: u32, value: T) -> Result<T, ErrorA> {
    event("outcome", id);
    if ask(|script| script.flip()) {
        Ok(value)
    } else {
        Err(error_a(id))
    }
}
