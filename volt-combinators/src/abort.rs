//! The end of the program, where unwinding would not be sound.

/// Ends the program: panics, and again while that unwinds, which no program survives.
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
