//! Cases of macros that return from the function; `subject!` decides what they become.

use super::log::*;

macro_rules! bail {
    ($cause:expr) => {
        return Err(Into::into($cause))
    };
}

macro_rules! ensure {
    ($condition:expr, $cause:expr $(,)?) => {
        if !$condition {
            bail!($cause);
        }
    };
}

macro_rules! whatever {
    ($text:literal) => {
        return Err(Into::into(Cause(D($text))))
    };
    ($source:expr, $text:literal) => {
        match $source {
            Ok(value) => value,
            Err(_) => return Err(Into::into(Cause(D($text)))),
        }
    };
}

mod options {
    macro_rules! ensure {
        ($condition:expr) => {
            if !$condition {
                return None;
            }
        };
    }

    pub(super) use ensure;
}

#[derive(Debug)]
pub(crate) struct Cause(D);

pub(crate) struct Failed(Cause);

impl From<Cause> for Failed {
    fn from(cause: Cause) -> Self {
        note("converted");
        Self(cause)
    }
}

fn text<T>(result: Result<T, Failed>) -> &'static str {
    match result {
        Ok(_) => "ok",
        Err(Failed(Cause(cause))) => cause.0,
    }
}

doubted! {
    async fn bails(number: u32, kept: D, given: Cause) -> Result<u32, Failed> {
        tick("bails").await;
        let Some(less) = number.checked_sub(1) else { bail!(Cause(D("none"))) };
        let less: u32 = less;
        tick("less").await;
        look(&kept);
        for turn in 0..3 {
            if turn == less {
                bail!(Cause(D("turn")));
            }
        }
        let more = if less == 3 { bail!(given) } else { less };
        if more == 4 {
            whatever!("four")
        }
        tick("end").await;
        whatever!("end")
    }
}

doubted! {
    async fn ensures(number: u32, kept: D) -> Result<u32, Failed> {
        ensure!(number > 0, Cause(D("nothing")));
        tick("ensures").await;
        ensure!(number > 1, Cause(D("one")));
        look(&kept);
        tick("kept").await;
        let parsed: u32 = whatever!("7".parse::<u32>(), "digits");
        let other: u32 = parsed + whatever!((number - 2).checked_sub(1).ok_or(()), "small");
        tick("parsed").await;
        ensure!(other < 9, Cause(D("large")),);
        Ok(other)
    }
}

doubted! {
    async fn optional(number: u32, kept: D) -> Option<u32> {
        options::ensure!(number > 0);
        tick("optional").await;
        options::ensure!(number > 1);
        look(&kept);
        Some(number)
    }
}

doubted! {
    async fn closures(number: u32) -> Result<u32, Failed> {
        tick("closures").await;
        let inside = |number: u32| -> Result<u32, Failed> {
            ensure!(number > 1, Cause(D("inside")));
            Ok(number)
        };
        note(text(inside(number)));
        inside(2)
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "bails", async {
        for number in [0, 1, 2, 3, 4, 5, 6] {
            note(text(bails(number, D("kept"), Cause(D("given"))).await));
        }
    });
    case!(list, "ensures", async {
        for number in [0, 1, 2, 3, 4, 5] {
            note(text(ensures(number, D("kept")).await));
        }
    });
    case!(list, "ensures not", async {
        for number in [0, 1, 2] {
            note(format!("{:?}", optional(number, D("kept")).await));
        }
    });
    case!(list, "closures", async { text(closures(1).await) });
    list
}
