//! Aborting the program where unwinding would be unsound.

/// Aborts the program: panics, and panics again during unwinding.
#[cold]
pub(crate) fn abort(why: &str) -> ! {
    struct PanicInDrop<'a>(&'a str);
    impl Drop for PanicInDrop<'_> {
        fn drop(&mut self) {
            panic!("{}", self.0);
        }
    }
    let _second = PanicInDrop(why);
    panic!("{why}");
}
