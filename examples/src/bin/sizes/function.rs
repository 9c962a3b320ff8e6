//! The size of what a function returns, without calling it.

/// A function pointer of any number of arguments.
pub(crate) trait Function {
    type Output;
}

macro_rules! function {
    ($($argument:ident)*) => {
        impl<R, $($argument),*> Function for fn($($argument),*) -> R {
            type Output = R;
        }
    };
}

function!();
function!(A);
function!(A B);
function!(A B C);

pub(crate) fn output_size<F: Function>(_: F) -> usize {
    size_of::<F::Output>()
}
