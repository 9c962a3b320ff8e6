//! Cases of errors that keep the place where they were converted.
//!
//! `subject!` decides what they become.

use std::ops::ControlFlow;
use std::panic::Location;
use std::task::Poll;

use super::log::*;

pub(crate) struct Cause(D);

/// An error that knows where its cause met the function's return type.
pub(crate) struct Located(D);

impl From<Cause> for Located {
    #[track_caller]
    fn from(cause: Cause) -> Self {
        note(&Location::caller().to_string());
        Self(cause.0)
    }
}

#[track_caller]
fn here() -> u32 {
    note(&Location::caller().to_string());
    1
}

fn fails(fails: bool) -> Result<u32, Cause> {
    if fails { Err(Cause(D("cause"))) } else { Ok(3) }
}

fn text<T>(result: Result<T, Located>) -> &'static str {
    match result {
        Ok(_) => "ok",
        Err(Located(cause)) => cause.0,
    }
}

subject! {
    async fn slow(failing: bool) -> Result<u32, Cause> {
        tick("slow").await;
        fails(failing)
    }
}

subject! {
    async fn awaited(failing: bool) -> Result<u32, Located> {
        let kept: D = D("kept");
        let first: u32 = slow(false).await?;
        look(&kept);
        let second: u32 = first + slow(failing).await?;
        look(&kept);
        Ok(second)
    }
}

subject! {
    async fn plain(failing: bool) -> Result<(u32, D), Located> {
        let one: u32 = here() + fails(false)?;
        tick("plain").await;
        let pair: (u32, D) = (one, D("pair"));
        slow(false).await.map(|value| value + 1)?;
        let more = [fails(false)?, fails(failing)?];
        note(&more[0].to_string());
        Ok(pair)
    }
}

subject! {
    async fn inside(failing: bool) -> Result<u32, Located> {
        tick("inside").await;
        let closure = || -> Result<u32, Located> { Ok(fails(failing)?) };
        let value = closure()?;
        Ok(value)
    }
}

subject! {
    async fn polls(poll: Poll<Result<u32, Cause>>, next: Poll<Option<Result<u32, Cause>>>)
        -> Result<Poll<Option<u32>>, Located> {
        tick("polls").await;
        let first: u32 = match poll? {
            Poll::Ready(value) => value,
            Poll::Pending => 0,
        };
        tick("next").await;
        Ok(next?.map(|value| value.map(|value| value + first)))
    }
}

async fn twice(failing: bool) -> Result<Result<u32, Cause>, Cause> {
    tick("twice").await;
    Ok(fails(failing))
}

subject! {
    async fn questions_behind_each_other(how: u32) -> Result<u32, Located> {
        let first = twice(how == 0).await??;
        let second = (twice(how == 1).await?)?;
        let third = twice(how == 2).await?.map(|n| n + 1)?;
        tick("between").await;
        let fourth = (if how > 3 { slow(true) } else { slow(how == 3) }).await.map(|n| n)?;
        Ok(first + second + third + fourth)
    }
}

subject! {
    async fn question_behind_a_list(list: Vec<D>) -> Result<u32, Located> {
        tick("before").await;
        let found = list.into_iter().map(|d| Err(Cause(d))).collect::<Result<Vec<D>, Cause>>()?;
        tick("behind").await;
        Ok(found.len() as u32)
    }
}

subject! {
    async fn question_behind_a_method(value: Option<u32>) -> Result<u32, Located> {
        tick("before").await;
        let found = value.ok_or(Cause(D("none")))?;
        tick("behind").await;
        Ok(found)
    }
}

pub(crate) type Outcome<T> = Result<T, Located>;

subject! {
    async fn aliased(failing: bool) -> Outcome<u32> {
        tick("aliased").await;
        Ok(slow(failing).await?)
    }
}

subject! {
    async fn optional(value: Option<D>, other: Option<u32>) -> Option<D> {
        tick("optional").await;
        let value: D = value?;
        tick("other").await;
        note(&other?.to_string());
        Some(value)
    }
}

subject! {
    async fn flow(value: ControlFlow<D, u32>) -> ControlFlow<D, u32> {
        tick("flow").await;
        ControlFlow::Continue(value? + 1)
    }
}

fn given(n: u32, failing: bool) -> Result<u32, Cause> {
    fails(failing).map(|_| n)
}

subject! {
    async fn operators_behind_a_question(n: u32, failing: bool) -> Result<u64, Located> {
        let first = if n == 1 { given(2, failing)? + 1 } else { 0 };
        let second = match n {
            1 => given(3, false)? * 2,
            _ => given(4, failing)? - 1,
        };
        tick("one").await;
        let third = {
            let n = slow(false).await?;
            given(n, failing)? as u64
        };
        tick("two").await;
        Ok(third + u64::from(first + second))
    }
}

subject! {
    async fn elements_behind_a_question(mut list: Vec<u32>) -> Result<u32, Located> {
        tick("one").await;
        all(&mut list)?[0] = 3;
        all(&mut list)?[1] += 3;
        tick("two").await;
        Ok(all(&mut list)?[1])
    }
}

fn all(list: &mut Vec<u32>) -> Result<&mut Vec<u32>, Cause> {
    fails(list.is_empty()).map(|_| list)
}

subject! {
    async fn overflow_behind_a_question(n: u32) -> Result<u32, Located> {
        tick("one").await;
        let left = given(1, false)? - n;
        tick("two").await;
        Ok(left)
    }
}

subject! {
    async fn overflow_before_a_question(n: u32) -> Result<u32, Located> {
        let mut left = 1;
        tick("one").await;
        left -= given(n, false)?;
        tick("two").await;
        Ok(left)
    }
}

subject! {
    async fn overflow_behind_a_question_for_an_option(n: u32) -> Option<u32> {
        tick("one").await;
        let left = { given(n, false).ok()? - 4 };
        tick("two").await;
        Some(left)
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "awaited", async {
        note(text(awaited(false).await));
        text(awaited(true).await)
    });
    case!(list, "plain", async {
        note(text(plain(false).await));
        text(plain(true).await)
    });
    case!(list, "questions_behind_each_other", async {
        for how in 0..4 {
            note(text(questions_behind_each_other(how).await));
        }
        text(questions_behind_each_other(4).await)
    });
    case!(list, "question_behind_a_method", async { text(question_behind_a_method(None).await) });
    case!(list, "question_behind_a_list", async { text(question_behind_a_list(vec![D("a")]).await) });
    case!(list, "inside", async { text(inside(true).await) });
    case!(list, "polls", async {
        note(text(polls(Poll::Pending, Poll::Pending).await));
        note(text(polls(Poll::Ready(Ok(1)), Poll::Ready(Some(Ok(2)))).await));
        note(text(polls(Poll::Ready(Ok(1)), Poll::Ready(Some(fails(true)))).await));
        text(polls(Poll::Ready(fails(true)), Poll::Ready(None)).await)
    });
    case!(list, "aliased", async { text(aliased(true).await) });
    case!(list, "optional", async {
        drop(optional(None, None).await);
        drop(optional(Some(D("value")), None).await);
        optional(Some(D("value")), Some(3)).await
    });
    case!(list, "flow", async {
        note(&format!("{:?}", flow(ControlFlow::Continue(1)).await.is_continue()));
        match flow(ControlFlow::Break(D("broken"))).await {
            ControlFlow::Break(cause) => cause.0,
            ControlFlow::Continue(_) => "went on",
        }
    });
    case!(list, "operators_behind_a_question 1", async { text(operators_behind_a_question(1, false).await) });
    case!(list, "operators_behind_a_question 2", async { text(operators_behind_a_question(2, false).await) });
    case!(list, "operators_behind_a_question failing", async { text(operators_behind_a_question(2, true).await) });
    case!(list, "elements_behind_a_question", async { text(elements_behind_a_question(vec![1, 2]).await) });
    case!(list, "overflow_behind_a_question", async { text(overflow_behind_a_question(3).await) });
    case!(list, "overflow_before_a_question", async { text(overflow_before_a_question(3).await) });
    case!(list, "overflow_behind_a_question_for_an_option", overflow_behind_a_question_for_an_option(1));
    list
}
