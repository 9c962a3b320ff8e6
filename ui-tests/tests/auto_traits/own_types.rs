//! Methods with names of which the compiler may infer the output, called by the type before the
//! name. A call by the own type awaits the own future, next to values that are not `Send`. A call
//! by another type of the same name has an output that the compiler infers from a later use.

use std::future::Future;
use std::pin::Pin;

use volt::task::yield_now;

use super::recursive_copies::all;
use super::{Ask, NotSend as _, local_number};

fn heap<F: Future>(future: F) -> Pin<Box<F>> {
    Box::pin(future)
}

mod other {
    pub(super) struct Tree;

    impl Tree {
        pub(super) fn read<T: From<u8>>(n: u8) -> T {
            T::from(n)
        }
    }

    pub(super) use Tree as Leaf;
}

macro_rules! declare {
    ($name:ident) => {
        use other::$name;
    };
}

macro_rules! in_block {
    ($($tokens:tt)*) => {
        { $($tokens)* }
    };
}

/// Declares a type three times, with the same methods.
macro_rules! versions {
    ($methods:tt) => {
        version! { plain [] $methods }
        version! { chosen [#[volt::state_machine]] $methods }
        version! { native [#[volt::state_machine(native)]] $methods }
    };
}

macro_rules! version {
    ($module:ident $attr:tt { $(impl $Type:ty { $($methods:tt)* })* }) => {
        #[allow(
            clippy::items_after_statements,
            clippy::use_self,
            reason = "the names in the bodies are tested"
        )]
        mod $module {
            use super::*;

            pub(super) struct Tree;

            pub(super) struct Of<T>(pub(super) T);

            impl Of<u16> {
                pub(super) fn random<T: From<u8>>(&self) -> T {
                    T::from(u8::from(self.0 > 0))
                }
            }

            $(block! { $attr $Type { $($methods)* } })*
        }
    };
}

macro_rules! block {
    ([$($attr:tt)*] $Type:ty { $($methods:tt)* }) => {
        $($attr)*
        impl $Type {
            $($methods)*
        }
    };
}

versions! {
    {
        impl Tree {
            pub(super) async fn sum(&self, n: u32) -> u32 {
                let number = local_number(n);
                if n > 0 {
                    heap(Tree::sum(self, n - 1)).await;
                }
                let more: u32 = [n, 1].into_iter().sum();
                *number.0 + more
            }

            pub(super) async fn into(self, n: u32) -> u32 {
                let number = local_number(n);
                if n > 0 {
                    in_block!(heap(Tree::into(Tree, n - 1))).await;
                    heap(Self::into(Tree, 0)).await;
                }
                let wide: u64 = n.into();
                *number.0 + u32::try_from(wide).unwrap_or(0)
            }

            pub(super) async fn get(&self, n: u32) -> u32 {
                let number = local_number(n);
                let later = if n > 0 { Some(heap(Tree::get(self, n - 1))) } else { None };
                yield_now().await;
                let below = match later {
                    Some(later) => later.await,
                    None => 0,
                };
                let mut list = vec![n];
                list.extend(in_block!([1, 2].get(1).copied()));
                *number.0 + below + list[1]
            }

            pub(super) async fn collect(&self, n: u32) -> u32 {
                if n > 0 {
                    let mut below = all((0..n).map(|_| Tree::collect(self, 0))).await;
                    below += in_block!(heap(self.collect(n - 1))).await;
                    below
                } else {
                    1
                }
            }

            pub(super) async fn read(&self, n: u32) -> u32 {
                let by_path = other::Tree::read(1);
                let by_alias = other::Leaf::read(2);
                let by_import = {
                    use other::Tree;
                    let value = Tree::read(3);
                    u32::wrapping_add(value, 1)
                };
                let by_type = {
                    type Tree = other::Leaf;
                    let value = Tree::read(4);
                    u32::wrapping_add(value, 1)
                };
                let by_glob = {
                    use other::*;
                    let value = Tree::read(5);
                    u32::wrapping_add(value, 1)
                };
                let by_macro = {
                    declare!(Tree);
                    let value = Tree::read(6);
                    u32::wrapping_add(value, 1)
                };
                let in_macro = in_block! {
                    use other::Tree;
                    let value = Tree::read(7);
                    u32::wrapping_add(value, 1)
                };
                let seen = [by_import, by_type, by_glob, by_macro, in_macro];
                if n > 0 {
                    heap(Tree::read(self, n - 1)).await;
                }
                u32::wrapping_add(by_path, by_alias) + seen.into_iter().sum::<u32>()
            }
        }

        impl Of<u8> {
            pub(super) async fn random(&self) -> u32 {
                let of_other = Of::<u16>::random(&Of(1));
                if self.0 > 0 {
                    heap(Of::<u8>::random(&Of(self.0 - 1))).await;
                }
                u32::wrapping_add(of_other, 1)
            }
        }

        impl Of<String> {
            pub(super) async fn product(self, n: u32) -> u32 {
                let number = local_number(n);
                if n > 0 {
                    heap(Of::product(Of(self.0.clone()), n - 1)).await;
                }
                *number.0
            }
        }
    }
}

/// Checks that each version of a call is `Send` as given, and returns the same number.
macro_rules! assert_versions {
    ($($Type:ident::$name:ident($($argument:tt)*) is $send:literal;)*) => { $(
        let expected = assert_versions!(@plain $Type $name [$($argument)*] $send);
        assert_eq!(assert_versions!(@chosen $Type $name [$($argument)*] $send), expected);
        assert_eq!(assert_versions!(@native $Type $name [$($argument)*] $send), expected);
    )* };
    (@$module:ident $Type:ident $name:ident [$($argument:tt)*] $send:literal) => {{
        use $module::*;
        let name = concat!(stringify!($module), "::", stringify!($name));
        assert_eq!(is_send!($Type::$name($($argument)*)), $send, "{name}");
        volt::block_on($Type::$name($($argument)*))
    }};
}

#[test]
fn call_by_the_own_type_is_recursion() {
    assert_versions! {
        Tree::sum(&Tree, 2) is false;
        Tree::into(Tree, 2) is false;
        Tree::get(&Tree, 2) is false;
        Tree::collect(&Tree, 2) is true;
        Of::product(Of(String::new()), 2) is false;
    }
}

#[test]
fn call_by_a_type_of_the_same_name_is_inferred() {
    assert_versions! {
        Tree::read(&Tree, 1) is true;
    }
    assert_eq!(volt::block_on(plain::Of::<u8>::random(&plain::Of(1))), 2);
    assert_eq!(volt::block_on(chosen::Of::<u8>::random(&chosen::Of(1))), 2);
    assert_eq!(volt::block_on(native::Of::<u8>::random(&native::Of(1))), 2);
}
