//! `cfg` on parameters of functions and blocks, and on arguments and methods by `cfg_attr`.

use super::log::*;

subject! {
    async fn lifetimes<#[cfg(any())] 'a, #[cfg(all())] 'b>(#[cfg(any())] a: &'a u32, b: &'b str) -> &'b str {
        tick("lifetimes").await;
        b
    }
}

subject! {
    async fn types<#[cfg(any())] T, #[cfg(all())] U: Clone>(#[cfg(any())] t: T, u: U) -> U {
        tick("types").await;
        u.clone()
    }
}

subject! {
    async fn constants<#[cfg_attr(all(), cfg(any()))] const M: usize, #[cfg(not(any()))] const N: usize>(
        #[cfg_attr(all(), cfg(any()))] a: [u8; M],
        b: [u8; N],
    ) -> usize {
        tick("constants").await;
        b.len()
    }
}

subject! {
    async fn by_cfg_attr(
        #[cfg_attr(all(), cfg(any()))] a: Nothing,
        #[cfg_attr(any(), cfg(any()))] b: u32,
        #[cfg_attr(all(), allow(unused, reason = "a case"), cfg(all()))] c: u32,
    ) -> u32 {
        tick("attr").await;
        b + c
    }
}

pub(crate) struct Of<T>(T);

subject! {
    impl<#[cfg(any())] U, #[cfg(all())] T: Clone> Of<T> {
        async fn clones(&self) -> T {
            tick("clones").await;
            self.0.clone()
        }

        #[cfg(any())]
        async fn either(&self) {
            nothing()
        }

        #[cfg(all())]
        async fn either(&self) -> u32 {
            tick("either").await;
            3
        }

        #[cfg_attr(all(), allow(unused, reason = "a case"))]
        #[cfg_attr(any(), nothing)]
        async fn allowed(&self) {}
    }
}

pub(crate) struct Number(u32);

subject! {
    impl Number {
        #[cfg_attr(all(), cfg(any()))]
        async fn gone(&self) -> u32 {
            nothing()
        }

        async fn adds(&self, #[cfg_attr(all(), cfg(any()))] a: Nothing, b: u32) -> u32 {
            tick("adds").await;
            self.0 + b
        }

        #[cfg_attr(all(), cfg(all()), allow(unused, reason = "a case"))]
        async fn stays<#[cfg(any())] T>(&self, #[cfg(any())] t: T) -> u32 {
            tick("stays").await;
            self.0
        }
    }
}

macro_rules! number_of {
    ($value:ident) => {
        $value.0
    };
}

trait Adds {
    async fn sums(&self, a: u32) -> u32;
    async fn counts(&self) -> u32;
}

subject! {
    impl Adds for Number {
        async fn sums(&self, #[cfg(all())] a: u32) -> u32 {
            tick("sums").await;
            number_of!(self) + a
        }

        async fn counts(&self, #[cfg(any())] a: Nothing) -> u32 {
            tick("counts").await;
            number_of!(self)
        }
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "lifetimes", lifetimes("b"));
    case!(list, "types", types("b"));
    case!(list, "constants", constants([1, 2]));
    case!(list, "by_cfg_attr", by_cfg_attr(1, 2));
    case!(list, "clones", async { Of(3).clones().await });
    case!(list, "either", async { Of(3).either().await });
    case!(list, "adds", async { Number(3).adds(1).await });
    case!(list, "stays", async { Number(3).stays().await });
    case!(list, "sums", async { Number(3).sums(1).await });
    case!(list, "counts", async { Number(3).counts().await });
    list
}
