//! Cases of two locals of one name, both kept, and of macros that print or capture names.
//!
//! `subject!` decides what they become.

use super::log::*;

macro_rules! see {
    ($value:expr) => {
        note(format!("{}={}", stringify!($value), $value))
    };
}

subject! {
    async fn widths() -> usize {
        let w: usize = 3;
        tick("one").await;
        {
            let w: usize = 8;
            tick("two").await;
            note(format!("{:w$}|{:.w$}|{:<w$}|{w }|{w:w$?}", 1, 0.5, 2));
        }
        w
    }
}

subject! {
    async fn braces_and_arguments() -> usize {
        let w: usize = 3;
        tick("one").await;
        {
            let w: usize = 8;
            tick("two").await;
            note(format!("{{w}} {w} {} {}", "{w}", w));
            note(format!("{w}", w = w + 1));
        }
        w
    }
}

subject! {
    async fn text_of_the_name() -> usize {
        let w: usize = 3;
        tick("one").await;
        {
            let w: usize = 8;
            tick("two").await;
            note(stringify!(w));
            note(format!("{w}"));
        }
        w
    }
}

subject! {
    async fn assertions(limit: usize) -> usize {
        let w: usize = 3;
        tick("one").await;
        {
            let w: Option<usize> = Some(8);
            tick("two").await;
            assert_eq!(w, Some(limit.min(8)), "{{w}} {w:?}");
        }
        {
            let w: usize = 8;
            tick("three").await;
            assert!(w>limit&&!(w == 7));
            debug_assert!(w.pow(2) > limit || w == limit, "{w}");
        }
        w
    }
}

subject! {
    async fn assertion_about_what_may_be_gone(moved: bool) -> u8 {
        let d: String = String::from("d");
        if moved {
            drop(d);
        } else {
            note(stringify!(d));
            assert!(d.len() == 3);
        }
        tick("one").await;
        1
    }
}

doubted! {
    async fn one_after_the_other() -> usize {
        let w: usize = 3;
        see!(w);
        tick("one").await;
        see!(w);
        let w: u64 = 10 + w as u64;
        tick("two").await;
        see!(w + 1);
        let w: usize = w as usize;
        tick("three").await;
        see!(w);
        w
    }
}

doubted! {
    async fn hidden_and_not_kept(turns: u32) -> u32 {
        for turn in 0..turns {
            let x: u32 = turn;
            tick("one").await;
            see!(x);
            let x: u32 = x * 2;
            tick("two").await;
            see!(x);
            if x > 1 {
                let x: u32 = x + 7;
                tick("three").await;
                see!(x);
            }
        }
        turns
    }
}

subject! {
    async fn function_of_that_name() -> usize {
        let w: usize = 3;
        tick("one").await;
        {
            let w: usize = 8;
            tick("two").await;
            {
                fn w() -> u32 {
                    7
                }
                note(format!("{}", w()));
            }
            note(format!("{w}"));
        }
        w
    }
}

#[derive(Debug)]
pub(crate) struct Gate {
    level: u32,
}

impl Gate {
    fn is_open(at: u32) -> bool {
        at > 3
    }
}

subject! {
    impl Gate {
        async fn pass(&self, limit: u32) -> u32 {
            tick("one").await;
            note(stringify!(self.level));
            note(format!("{:1$}", self.level, limit as usize));
            assert!(self.level < limit && Self::is_open(self.level));
            self.level
        }
    }
}

subject! {
    async fn of_a_method(limit: u32) -> u32 {
        let gate: Gate = Gate { level: 3 };
        gate.pass(limit).await
    }
}

subject! {
    async fn raw_name() -> usize {
        let r#type: usize = 3;
        tick("one").await;
        {
            let r#type: usize = 8;
            tick("two").await;
            note(format!("{type} {}", r#type));
        }
        note(format!("{type}"));
        1
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "widths", widths());
    case!(list, "braces_and_arguments", braces_and_arguments());
    case!(list, "text_of_the_name", text_of_the_name());
    case!(list, "assertions that hold", assertions(7));
    case!(list, "assertions on equality", assertions(8));
    case!(list, "assertions on a condition", assertions(9));
    case!(list, "assertion_about_what_may_be_gone", assertion_about_what_may_be_gone(false));
    case!(list, "one_after_the_other", one_after_the_other());
    case!(list, "hidden_and_not_kept", hidden_and_not_kept(3));
    case!(list, "function_of_that_name", function_of_that_name());
    case!(list, "of_a_method", of_a_method(4));
    case!(list, "raw_name", raw_name());
    list
}
