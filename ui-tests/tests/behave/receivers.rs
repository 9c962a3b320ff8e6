//! Methods by reference on values that are copied: numbers, texts and tuples are borrowed by the
//! future.

use std::fmt::Debug;
use std::future::Future;

use super::log::*;

pub(crate) trait Go {
    async fn go(&self) -> u32;
    fn look(&self) -> impl Future<Output = u32> + '_;
    fn change(&mut self) -> impl Future<Output = u32> + '_;
}

impl<T: Debug> Go for T {
    async fn go(&self) -> u32 {
        tick("go").await;
        format!("{self:?}").len() as u32
    }

    fn look(&self) -> impl Future<Output = u32> + '_ {
        async move {
            tick("look").await;
            format!("{self:?}").len() as u32
        }
    }

    fn change(&mut self) -> impl Future<Output = u32> + '_ {
        async move {
            tick("change").await;
            format!("{self:?}").len() as u32
        }
    }
}

macro_rules! arguments {
    ($($name:ident $ty:ty;)*) => { $(
        subject! {
            async fn $name(n: $ty) -> u32 {
                n.go().await
            }
        }
    )* };
}

arguments! {
    byte u8;
    truth bool;
    pair (u8, u8);
    bytes [u8; 3];
    text &'static str;
    slice &'static [u8];
    number &'static u32;
    float f64;
    letter char;
    nested (u8, (char, [u16; 2]));
}

subject! {
    async fn lent_text(text: &str) -> u32 {
        text.go().await + text.look().await
    }
}

subject! {
    async fn local() -> u32 {
        let n: u8 = 3;
        n.go().await
    }
}

subject! {
    async fn used_later(n: u32) -> u32 {
        let k = n.go().await;
        k + n
    }
}

subject! {
    async fn changed(mut n: u32) -> u32 {
        let k = n.change().await;
        k + n
    }
}

subject! {
    async fn in_a_loop(n: u32, text: &str) -> u32 {
        let mut sum = 0;
        for _ in 0..2 {
            sum += n.look().await;
            sum += text.go().await;
        }
        sum
    }
}

subject! {
    async fn future_is_kept(n: u32) -> u32 {
        let future = n.go();
        tick("kept").await;
        future.await
    }
}

subject! {
    async fn twice_in_operands(n: u32, k: (u8, u8)) -> u32 {
        step("sum", 1, n.go().await + k.go().await).await
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "byte", byte(3));
    case!(list, "truth", truth(true));
    case!(list, "pair", pair((1, 2)));
    case!(list, "bytes", bytes([1, 2, 3]));
    case!(list, "text", text("text"));
    case!(list, "slice", slice(&[1, 2]));
    case!(list, "number", number(&3));
    case!(list, "float", float(1.5));
    case!(list, "letter", letter('a'));
    case!(list, "nested", nested((1, ('b', [2, 3]))));
    case!(list, "lent_text", lent_text("text"));
    case!(list, "local", local());
    case!(list, "used_later", used_later(3));
    case!(list, "changed", changed(3));
    case!(list, "in_a_loop", in_a_loop(3, "text"));
    case!(list, "future_is_kept", future_is_kept(3));
    case!(list, "twice_in_operands", twice_in_operands(3, (1, 2)));
    list
}
