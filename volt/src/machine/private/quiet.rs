//! Types whose values nobody sees go: all that their destructors do is to give back memory.

/// A type without a destructor of its own, or with one that gives back memory and no more.
pub trait Quiet {}

macro_rules! quiet {
    ($($({ $($of:tt)* })? $Type:ty,)*) => {
        $(impl $(<$($of)*>)? Quiet for $Type {})*
    };
}

quiet! {
    (), bool, char, str,
    u8, u16, u32, u64, u128, usize,
    i8, i16, i32, i64, i128, isize,
    f32, f64,
    { T: ?Sized } &T,
    { T: Quiet } [T],
    { T: Quiet, const N: usize } [T; N],
    { A: Quiet } (A,),
    { A: Quiet, B: Quiet } (A, B),
    { A: Quiet, B: Quiet, C: Quiet } (A, B, C),
    { T: Quiet } Option<T>,
    { T: Quiet, E: Quiet } Result<T, E>,
    core::num::ParseIntError,
    core::num::ParseFloatError,
    core::str::Utf8Error,
    core::str::ParseBoolError,
    core::time::Duration,
}

#[cfg(feature = "rt")]
mod of_std {
    use std::borrow::Cow;
    use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
    use std::ffi::{CStr, CString, OsStr, OsString};
    use std::path::{Path, PathBuf};
    use std::{boxed::Box, env, string, string::String, vec, vec::Vec};

    use super::Quiet;

    quiet! {
        OsStr, CStr, Path,
        String, OsString, CString, PathBuf,
        string::FromUtf8Error, env::VarError,
        env::Args, env::ArgsOs,
        { T: Quiet + ?Sized } Box<T>,
        { T: Quiet } Vec<T>,
        { T: Quiet } VecDeque<T>,
        { T: Quiet } vec::IntoIter<T>,
        { T: Quiet } HashSet<T>,
        { T: Quiet } BTreeSet<T>,
        { K: Quiet, V: Quiet } HashMap<K, V>,
        { K: Quiet, V: Quiet } BTreeMap<K, V>,
        { T: ToOwned<Owned: Quiet> + ?Sized } Cow<'_, T>,
    }
}
