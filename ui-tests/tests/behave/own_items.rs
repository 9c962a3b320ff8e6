//! Names in patterns that are those of items: lower-case constants, unit structs, and own variants
//! with names of the prelude. Most of these functions are native. The
//! machine of one that names an item of another crate stores the future of the compiler.

#![allow(non_upper_case_globals, non_camel_case_types, reason = "odd on purpose")]
use super::log::*;

const limit: u32 = 3;

#[derive(Clone, Copy, PartialEq)]
struct ready;

subject! {
    async fn constant_in_let_else(n: Option<u32>) -> u32 {
        let Some(limit) = n else { return 9 };
        tick("else").await;
        1
    }
}

subject! {
    async fn constant_in_match(n: u32) -> u32 {
        let d = D("d");
        tick("match").await;
        match (n, d.0.len()) {
            (limit, 1) => step("limit", 1, n).await,
            (other, _) => other,
        }
    }
}

subject! {
    async fn unit_struct(of: Option<ready>) -> bool {
        tick("unit").await;
        if let Some(ready) = of {
            tick("some").await;
            return true;
        }
        false
    }
}

pub(crate) mod variants {
    use super::*;

    pub(crate) enum Reply {
        None,
        Some(D),
        quiet,
    }

    use Reply::*;

    subject! {
        pub(crate) async fn own_variants(reply: Reply) -> usize {
            tick("reply").await;
            match reply {
                None => 1,
                Some(d) => step("some", 1, d.0.len()).await,
                quiet => 7,
            }
        }
    }

    subject! {
        pub(crate) async fn own_variant_in_matches(reply: Reply) -> bool {
            tick("matches").await;
            let is_none = matches!(reply, None);
            tick("end").await;
            is_none
        }
    }
}

pub(crate) mod imported {
    use super::super::log::*;
    use super::variants::Reply::{self, None, quiet};

    subject! {
        pub(crate) async fn imported_variants(reply: Reply) -> u32 {
            tick("imported").await;
            let kind = match reply {
                quiet => 7,
                None => step("none", 1, 1).await,
                _ => 2,
            };
            tick("kind").await;
            kind
        }
    }
}

mod unit {
    use super::super::log::*;

    #[derive(PartialEq)]
    pub(crate) struct None;

    subject! {
        pub(crate) async fn own_struct(n: (None, u32)) -> u32 {
            tick("struct").await;
            let (None, n) = n;
            tick("n").await;
            n
        }
    }
}

/// Items of another file.
mod by_glob {
    use super::super::log::*;
    use super::super::odd_shapes::*;

    subject! {
        pub(crate) async fn constant_by_glob(n: Option<u32>) -> u32 {
            tick("else").await;
            let ::core::option::Option::Some(limit) = n else { return 9 };
            tick("end").await;
            1
        }
    }

    subject! {
        pub(crate) async fn variants_by_glob(shape: Shape) -> usize {
            tick("shape").await;
            let kind = match shape {
                circle => 7,
                None => step("none", 1, 1).await,
                Some(d) => step("some", 1, d.0.len()).await,
            };
            tick("kind").await;
            kind
        }
    }
}

/// Items that a macro declares.
pub(crate) mod by_macro {
    use super::super::log::*;

    macro_rules! replies {
        ($($name:ident $(($ty:ty))?),*) => {
            pub(crate) enum Reply {
                $($name $(($ty))?),*
            }

            pub(crate) use self::Reply::*;
        };
    }

    replies! { Some(D), None, quiet }

    subject! {
        pub(crate) async fn variants_by_macro(reply: Reply) -> usize {
            tick("reply").await;
            if let None = reply {
                tick("none").await;
                return 1;
            }
            match reply {
                quiet => 7,
                Some(d) => step("some", 1, d.0.len()).await,
                _ => 2,
            }
        }
    }
}

/// Items of another crate.
mod by_crate {
    use super::super::log::*;
    use codes::*;

    subject! {
        pub(crate) async fn constant_of_a_crate(n: Option<u32>) -> u32 {
            if let Some(limit) = n {
                tick("limit").await;
                limit + 1
            } else {
                step("else", 1, 9).await
            }
        }
    }

    subject! {
        pub(crate) async fn constant_twice(n: Option<u32>) -> u32 {
            let is_limit = n == Some(limit);
            tick("first").await;
            let kind = match n {
                Some(limit) => 1,
                Some(other) => other,
                None => 2,
            };
            match n {
                Some(limit) => step("limit", 1, kind + u32::from(is_limit)).await,
                Some(count) => step("other", 1, count + kind).await,
                None => kind,
            }
        }
    }

    subject! {
        pub(crate) async fn constants_with_cases(n: u32, name: &'static str) -> u32 {
            tick("cases").await;
            match (n, name) {
                (limit | 7, _) => step("limit", 1, n).await,
                (_, scheme) => step("scheme", 1, n).await,
                _ => 9,
            }
        }
    }

    subject! {
        pub(crate) async fn struct_of_a_crate(of: Result<ready, D>) -> usize {
            tick("of").await;
            let Ok(ready) = of else { return 9 };
            tick("ready").await;
            1
        }
    }

    pub(crate) fn named() -> (Option<String>, D) {
        (Some(String::new()), D("d"))
    }

    subject! {
        pub(crate) async fn destructor_of_a_crate(name: (Option<String>, D)) -> usize {
            tick("name").await;
            match name {
                (missing, d) => step("missing", 1, d.0.len()).await,
                _ => 9,
            }
        }
    }

    subject! {
        pub(crate) async fn local_beside_a_crate(d: Option<D>) -> usize {
            tick("local").await;
            if let Some(count) = d {
                tick("some").await;
                return count.0.len();
            }
            0
        }
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    use super::odd_shapes::Shape;
    use variants::Reply;
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "constant_in_let_else", constant_in_let_else(Some(3)));
    case!(list, "constant_in_let_else, other", constant_in_let_else(Some(4)));
    case!(list, "constant_in_match", constant_in_match(3));
    case!(list, "constant_in_match, other", constant_in_match(4));
    case!(list, "unit_struct", unit_struct(Some(ready)));
    case!(list, "own_variants", variants::own_variants(Reply::Some(D("d"))));
    case!(list, "own_variants, none", variants::own_variants(Reply::None));
    case!(list, "own_variants, quiet", variants::own_variants(Reply::quiet));
    case!(list, "own_variant_in_matches", variants::own_variant_in_matches(Reply::Some(D("d"))));
    case!(list, "imported_variants", imported::imported_variants(Reply::None));
    case!(list, "imported_variants, quiet", imported::imported_variants(Reply::quiet));
    case!(list, "own_struct", unit::own_struct((unit::None, 3)));
    case!(list, "constant_by_glob", by_glob::constant_by_glob(Some(3)));
    case!(list, "constant_by_glob, other", by_glob::constant_by_glob(Some(4)));
    case!(list, "variants_by_glob", by_glob::variants_by_glob(Shape::Some(D("d"))));
    case!(list, "variants_by_glob, none", by_glob::variants_by_glob(Shape::None));
    case!(list, "variants_by_glob, circle", by_glob::variants_by_glob(Shape::circle));
    case!(list, "constant_of_a_crate", by_crate::constant_of_a_crate(Some(3)));
    case!(list, "constant_of_a_crate, other", by_crate::constant_of_a_crate(Some(4)));
    case!(list, "constant_twice", by_crate::constant_twice(Some(3)));
    case!(list, "constant_twice, other", by_crate::constant_twice(Some(4)));
    case!(list, "constants_with_cases", by_crate::constants_with_cases(3, "http"));
    case!(list, "constants_with_cases, scheme", by_crate::constants_with_cases(4, "https"));
    case!(list, "constants_with_cases, none", by_crate::constants_with_cases(4, "http"));
    case!(list, "struct_of_a_crate", by_crate::struct_of_a_crate(Ok(codes::ready)));
    case!(list, "struct_of_a_crate, other", by_crate::struct_of_a_crate(Err(D("d"))));
    case!(list, "destructor_of_a_crate", by_crate::destructor_of_a_crate((None, D("d"))));
    case!(list, "destructor_of_a_crate, other", by_crate::destructor_of_a_crate(by_crate::named()));
    case!(list, "local_beside_a_crate", by_crate::local_beside_a_crate(Some(D("d"))));
    case!(list, "variants_by_macro", by_macro::variants_by_macro(by_macro::Reply::Some(D("d"))));
    case!(list, "variants_by_macro, none", by_macro::variants_by_macro(by_macro::Reply::None));
    case!(list, "variants_by_macro, quiet", by_macro::variants_by_macro(by_macro::Reply::quiet));
    list
}
