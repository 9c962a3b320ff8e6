//! Bodies that the macro cannot parse.

/// Expands to a body that the macro cannot parse, because its author is still typing it.
///
/// The compiler parses the body here and reports its errors once.
#[doc(hidden)]
#[macro_export]
macro_rules! __volt_unparsed {
    ($body:tt) => {
        $body
    };
}
