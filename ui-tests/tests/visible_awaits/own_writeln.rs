//! A macro of another file with the name of one of the standard library.

macro_rules! writeln {
    ($value:expr) => {
        ($value, stringify!($value))
    };
}
