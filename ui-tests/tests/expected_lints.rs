//! Lints that are expected of a function, of its name, its signature or its body: no warning is
//! left, and no expectation is reported as unfulfilled.
#![deny(warnings)]
#![warn(
    missing_docs,
    unreachable_pub,
    private_interfaces,
    unused,
    clippy::pedantic
)]

use std::future::{Future, ready};

#[expect(missing_docs, reason = "the subject")]
#[volt::state_machine]
pub async fn above(x: u32) -> u32 {
    ready(x).await
}

#[volt::state_machine(native)]
#[expect(missing_docs, reason = "the subject")]
pub async fn below(x: u32) -> u32 {
    ready(x).await
}

#[volt::state_machine]
#[expect(non_snake_case, missing_docs, reason = "the subject")]
pub async fn Upper(Argument: u32) -> u32 {
    ready(Argument).await
}

#[volt::state_machine(native)]
#[expect(nonstandard_style, reason = "the subject")]
async fn camelCase(x: u32) -> u32 {
    ready(x).await
}

mod inner {
    use std::future::ready;

    #[expect(unreachable_pub, reason = "the subject")]
    #[volt::state_machine]
    pub async fn hidden(x: u32) -> u32 {
        ready(x).await
    }

    #[volt::state_machine(native)]
    #[expect(unreachable_pub, reason = "the subject")]
    pub async fn hidden_and_native(x: u32) -> u32 {
        ready(x).await
    }
}

mod private {
    use std::future::ready;

    struct Private(u32);

    #[expect(private_interfaces, unreachable_pub, reason = "the subject")]
    #[volt::state_machine]
    pub async fn given(private: Private) -> u32 {
        ready(private.0).await
    }

    pub(crate) fn give() -> impl Future<Output = u32> {
        given(Private(3))
    }
}

#[expect(unused, reason = "the subject")]
#[volt::state_machine]
async fn group(x: u32) -> u32 {
    let y = 4;
    ready(3).await
}

#[expect(warnings, reason = "the subject")]
#[volt::state_machine(native)]
async fn all_warnings(x: u32) -> u32 {
    let y = 4;
    ready(x).await
}

#[expect(clippy::pedantic, reason = "the subject")]
#[volt::state_machine]
async fn pedantic(x: u64) -> u32 {
    ready(x as u32).await
}

#[expect(clippy::all, reason = "the subject")]
#[volt::state_machine(native)]
async fn clippy_group(x: u32) -> u32 {
    let y = ready(x).await;
    y
}

#[expect(unused_variables, unused_mut, unreachable_code, reason = "the subject")]
#[volt::state_machine(native)]
async fn of_body(mut x: u32, y: u32) -> u32 {
    ready(()).await;
    return 3;
    4
}

#[volt::state_machine]
#[expect(unused_variables, unused_must_use, dead_code, reason = "the subject")]
async fn of_body_and_function(x: u32) {
    ready(Ok::<u32, u32>(3)).await;
}

#[cfg_attr(all(), expect(missing_docs, reason = "the subject"))]
#[volt::state_machine]
pub async fn under_condition(x: u32) -> u32 {
    ready(x).await
}

#[volt::state_machine(native)]
async fn of_statements(x: u32) -> u32 {
    #[expect(unused_variables, reason = "the subject")]
    let unused = ready(1).await;
    #[expect(clippy::let_unit_value, reason = "the subject")]
    let unit = ready(()).await;
    #[expect(unused_must_use, reason = "the subject")]
    ready(Ok::<u32, u32>(3)).await;
    let block = async {
        #[expect(clippy::clone_on_copy, reason = "the subject")]
        let y = ready(x).await.clone();
        y
    };
    let () = unit;
    block.await
}

/// A type with methods.
#[derive(Debug)]
pub struct Page;

/// A trait.
pub trait Read {
    /// Reads.
    fn read(&self) -> impl Future<Output = u32>;
}

#[volt::state_machine(vis = pub)]
#[expect(
    clippy::use_self,
    clippy::no_effect_underscore_binding,
    reason = "the subject"
)]
impl Read for Page {
    async fn read(&self) -> u32 {
        let _page = Page;
        ready(3).await
    }
}

#[volt::state_machine]
impl Page {
    #[expect(missing_docs, reason = "the subject")]
    pub async fn undocumented(&self) -> u32 {
        ready(3).await
    }

    #[expect(non_snake_case, missing_docs, reason = "the subject")]
    pub async fn Upper(&self, Argument: u32) -> u32 {
        ready(Argument).await
    }

    #[expect(dead_code, reason = "the subject")]
    async fn dead(&self) -> u32 {
        ready(3).await
    }

    /// Becomes a number.
    #[expect(clippy::wrong_self_convention, reason = "the subject")]
    pub async fn into_number(&self) -> u32 {
        ready(3).await
    }
}

/// Another type with methods.
#[derive(Debug)]
pub struct Shelf;

#[volt::state_machine]
#[expect(missing_docs, unused_variables, reason = "the subject")]
impl Shelf {
    pub async fn first(&self, place: u32) -> u32 {
        ready(3).await
    }
}

/// Writes, with the lints of the plain function about its body.
pub trait Write {
    /// Writes a line.
    fn write(&mut self, line: u32) -> impl Future<Output = u32>;
    /// Ends.
    fn end(self) -> impl Future<Output = u32>;
}

#[volt::state_machine(vis = pub)]
impl Write for Shelf {
    #[expect(unused_variables, unused_assignments, reason = "the subject")]
    async fn write(&mut self, line: u32) -> u32 {
        let mut last = 1;
        ready(()).await;
        last = 2;
        3
    }

    #[state_machine(native)]
    #[expect(unused_variables, unused_mut, reason = "the subject")]
    async fn end(self) -> u32 {
        let mut count = ready(3).await;
        let unused = 4;
        count
    }
}

#[test]
fn functions_with_expected_lints_run() {
    assert_eq!(volt::block_on(above(3)), 3);
    assert_eq!(volt::block_on(below(3)), 3);
    assert_eq!(volt::block_on(Upper(3)), 3);
    assert_eq!(volt::block_on(camelCase(3)), 3);
    assert_eq!(volt::block_on(inner::hidden(3)), 3);
    assert_eq!(volt::block_on(inner::hidden_and_native(3)), 3);
    assert_eq!(volt::block_on(private::give()), 3);
    assert_eq!(volt::block_on(group(1)), 3);
    assert_eq!(volt::block_on(all_warnings(3)), 3);
    assert_eq!(volt::block_on(pedantic(3)), 3);
    assert_eq!(volt::block_on(clippy_group(3)), 3);
    assert_eq!(volt::block_on(of_body(1, 2)), 3);
    assert_eq!(volt::block_on(under_condition(3)), 3);
    assert_eq!(volt::block_on(of_statements(3)), 3);
    assert_eq!(volt::block_on(Page.read()), 3);
    assert_eq!(volt::block_on(Page.Upper(3)), 3);
    assert_eq!(volt::block_on(Shelf.first(1)), 3);
    assert_eq!(volt::block_on(Shelf.write(1)), 3);
    assert_eq!(volt::block_on(Shelf.end()), 3);
}
