//! Approvals, subscriptions and reminders.

#![expect(clippy::collapsible_if, reason = "the form of the public sample")]

use serde::{Deserialize, Serialize};

use crate::driver::assert_ends;
use crate::{Failure, call, message, sleep};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Answer {
    Approved { by: String },
    Rejected { by: String, why: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Answered(Answer),
    Expired,
    Moved { to: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Request {
    id: u32,
    title: String,
    approvers: Vec<String>,
}

/// Waits for the next event of a request.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn event(approver: String, days: u32) -> Option<Event> {
    let text = message(approver.clone(), days).await?;
    Some(match text.chars().next() {
        Some('A') => Event::Answered(Answer::Approved { by: approver }),
        Some('R') => Event::Answered(Answer::Rejected {
            by: approver,
            why: text,
        }),
        Some('M') => Event::Moved { to: "Ann".into() },
        _ => Event::Expired,
    })
}

/// An approval by several people, each with a limit of time.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn approve(request: Request) -> Result<String, String> {
    let Request {
        id,
        title,
        approvers,
    } = request;
    let mut granted = Vec::new();
    for approver in approvers {
        let text = format!("please approve {id}: {title}");
        #[state(Asking)]
        let _ = call("mail".into(), text).await;
        match event(approver, 3).await {
            Some(Event::Answered(Answer::Approved { by })) => {
                let _ = call("log".into(), format!("{by} approved")).await;
                granted.push(by);
            }
            Some(Event::Answered(Answer::Rejected { by, why })) => {
                let _ = call("mail".into(), title).await;
                return Err(format!("{by}: {why}"));
            }
            Some(Event::Moved { to }) => {
                let answer = event(to.clone(), 5).await;
                if answer.is_none() {
                    return Err(format!("no answer of {to}"));
                }
                granted.push(to);
            }
            Some(Event::Expired) | None => return Err("nothing came".to_owned()),
        }
    }
    Ok(granted.join(", "))
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    name: String,
    price: u64,
    months: u32,
}

/// A subscription with a trial, renewals and a cancellation.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn subscription(user: String, plan: Plan) -> (u32, u64) {
    #[state(Trial)]
    sleep(14).await;
    let mut paid = 0;
    let mut month = 0;
    let mut overdue = 0;
    while month < plan.months {
        let bill = format!("{user} {} {month}", plan.name);
        if let Err(failure) = call("card".into(), bill).await {
            overdue += 1;
            if overdue > 2 {
                call("mail".into(), format!("{failure:?}")).await.ok();
                break;
            }
            sleep(3).await;
            continue;
        }
        overdue = 0;
        paid += plan.price;
        month += 1;
        if let Some(text) = message(format!("silent {user}"), 30).await {
            if text.starts_with("cancel") {
                break;
            }
        }
    }
    (month, paid)
}

/// Reminds a person until there is an answer.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn remind(person: String, limit: u32) -> Option<String> {
    let mut reminders = 0;
    let answer = loop {
        if let Some(answer) = message(person.clone(), 2).await {
            break Some(answer);
        }
        if reminders == limit {
            break None;
        }
        reminders += 1;
        let text = match reminders {
            1 => "reminder".to_string(),
            n => format!("reminder {n}"),
        };
        call("mail".into(), text).await.ok()?;
    };
    let answer = answer?;
    Some(format!("{person}: {answer} ({reminders})"))
}

/// Returns the referrer if it is another person.
fn other_than(name: &str, referrer: Option<String>) -> Option<String> {
    referrer.filter(|referrer| referrer != name)
}

/// Registers a person by several steps that may fail.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn register(
    name: String,
    referrer: Option<String>,
) -> Result<(String, Option<String>), Failure> {
    let referrer: Option<String> = other_than(&name, referrer);
    let account = call("account".into(), name.to_lowercase()).await?;
    let bonus = match referrer {
        Some(referrer) => Some(call("bonus".into(), referrer).await?),
        None => None,
    };
    let confirmed = message(name, 1).await.is_some();
    if !confirmed {
        call("undo".into(), account).await?;
        return Err(Failure::Final("not confirmed".into()));
    }
    Ok((account, bonus))
}

#[test]
fn approval_ends_with_each_answer() {
    let request = |approvers: &[&str]| Request {
        id: 3,
        title: "Ship".into(),
        approvers: approvers.iter().map(|name| name.to_string()).collect(),
    };
    assert_ends(
        || approve(request(&["Ada", "Mia"])),
        Ok("Ada, Ann".to_string()),
    );
    assert_ends(
        || approve(request(&["Ada", "Rob"])),
        Err("Rob: Rob after 3".to_string()),
    );
    assert_ends(
        || approve(request(&["silent"])),
        Err("nothing came".to_string()),
    );
}

#[test]
fn subscription_ends_after_its_months() {
    let plan = |name: &str| Plan {
        name: name.into(),
        price: 5,
        months: 3,
    };
    assert_ends(|| subscription("Ada".into(), plan("basic")), (3, 15));
    assert_ends(|| subscription("Ada".into(), plan("later")), (0, 0));
}

#[test]
fn reminders_have_a_limit() {
    assert_ends(
        || remind("Ada".into(), 2),
        Some("Ada: Ada after 2 (0)".to_string()),
    );
    assert_ends(|| remind("silent".into(), 2), None::<String>);
}

#[test]
fn registration_is_undone_without_confirmation() {
    let expected = ("account-ada".to_string(), Some("bonus-Rob".to_string()));
    assert_ends(|| register("Ada".into(), Some("Rob".into())), Ok(expected));
    let expected = Failure::Final("not confirmed".into());
    assert_ends(|| register("silent".into(), None), Err(expected));
}
