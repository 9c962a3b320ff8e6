//! `SyncProof`: the copy of a recursive function determined the right auto traits.
//!
//! ```text
//! macro_rules! polled { ($of:ident.walk()) => {{ let n = Cell::new(1); .. }}; ($it:expr) => { .. } }
//! polled!(self.walk())                  the first rule, whose value is not `Sync`
//! polled!(__volt_own(self.walk()))      the second rule, in the copy
//! ```

/// The proof that a machine is `Sync` if the copy of its body is. If `IS` is `false`, there is
/// nothing to prove.
///
/// Both bodies differ in the calls of the own function. A macro may match another call by another
/// rule, so the copy may lack a value that is not `Sync`:
///
/// ```compile_fail,E0277
/// use volt::__private::native::SyncProof;
///
/// SyncProof::<true>::macro_must_not_match_another_call_otherwise(|n: u32| std::cell::Cell::new(n));
/// ```
///
/// ```
/// use volt::__private::native::SyncProof;
///
/// SyncProof::<true>::macro_must_not_match_another_call_otherwise(|n: u32| n);
/// SyncProof::<false>::macro_must_not_match_another_call_otherwise(|n: u32| std::cell::Cell::new(n));
/// ```
#[derive(Debug)]
pub struct SyncProof<const IS: bool>;

impl SyncProof<true> {
    /// Requires that a future is `Sync`.
    pub fn macro_must_not_match_another_call_otherwise<A, R: Sync>(_: impl FnOnce(A) -> R) {}
}

impl SyncProof<false> {
    /// Requires nothing.
    pub fn macro_must_not_match_another_call_otherwise<A, R>(_: impl FnOnce(A) -> R) {}
}
