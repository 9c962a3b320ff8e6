//! Functions that live long: entities, subscriptions, schedules and agents.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::durable::{
    Result, activities, attempt, days, failure, hours, signal, sleep_until, timeout,
};
use super::world::{self, Script, effect};

#[derive(Debug, Serialize, Deserialize)]
enum CartEvent {
    Add(String),
    Remove { item: String },
    Checkout,
}

activities! {
    fn order_items(items: &BTreeMap<String, u32>) -> u32 {
        effect(format!("order {items:?}"));
        items.values().sum()
    }
}

/// Temporal, samples-go, shopping cart.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn shopping_cart() -> Option<u32> {
    let mut items: BTreeMap<String, u32> = BTreeMap::new();
    while let Some(event) = timeout(days(7), signal("cart")).await {
        match event {
            CartEvent::Add(item) => *items.entry(item).or_default() += 1,
            CartEvent::Remove { item } => {
                if let Some(count) = items.get_mut(&item) {
                    *count -= 1;
                    if *count == 0 {
                        items.remove(&item);
                    }
                }
            }
            CartEvent::Checkout => {
                #[step]
                let count = order_items(&items).await;
                return Some(count);
            }
        }
    }
    None
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Customer {
    id: String,
    email: String,
    plan: Plan,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Plan {
    trial_days: u64,
    period_days: u64,
    max_periods: u64,
    charge: u64,
}

activities! {
    fn mail(customer: &Customer, text: &str) {
        effect(format!("{}: {text}", customer.email));
    }
    fn charge_period(customer: &Customer, amount: u64) -> Result<()> {
        effect(format!("charge {} {amount}", customer.id));
        attempt("charge_period")
    }
}

/// Temporal, project template, subscription.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn subscription(customer: Customer) -> Result<String> {
    let plan = customer.plan.clone();
    #[step]
    #[state(Welcome)]
    mail(&customer, "welcome").await;
    #[state(Trial)]
    let cancelled: Option<()> = timeout(days(plan.trial_days), signal("cancel")).await;
    if cancelled.is_some() {
        #[step]
        #[state(TrialCancelled)]
        mail(&customer, "the trial is cancelled").await;
        return Ok(format!("{} cancelled in the trial", customer.id));
    }
    let mut total = 0;
    for period in 0..plan.max_periods {
        let amount = plan.charge + period * 10;
        #[step]
        charge_period(&customer, amount).await?;
        total += amount;
        #[state(Period)]
        let cancelled: Option<()> = timeout(days(plan.period_days), signal("cancel")).await;
        if cancelled.is_some() {
            #[step]
            #[state(Cancelled)]
            mail(&customer, "the subscription is cancelled").await;
            return Ok(format!("{} cancelled after {total}", customer.id));
        }
    }
    #[step]
    #[state(Over)]
    mail(&customer, "the subscription is over").await;
    Ok(format!("{} paid {total}", customer.id))
}

#[derive(Debug, Serialize, Deserialize)]
enum ChatEvent {
    Prompt(String),
    End,
}

activities! {
    fn answer(history: &[(String, String)], prompt: &str) -> String {
        effect(format!("prompt {prompt} after {}", history.len()));
        format!("answer to {prompt}")
    }
    fn summarize(history: &[(String, String)]) -> String {
        format!("summary of {} messages", history.len())
    }
}

/// Temporal, samples-python, entity of the chat with a model.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn chat(summary: Option<String>) -> (Vec<(String, String)>, String) {
    let mut history = Vec::new();
    if let Some(summary) = summary {
        history.push(("summary".to_string(), summary));
    }
    loop {
        match signal("chat").await {
            ChatEvent::Prompt(prompt) => {
                #[step]
                let response = answer(&history, &prompt).await;
                history.push(("user".to_string(), prompt));
                history.push(("model".to_string(), response));
                if history.len() >= 6 {
                    #[step]
                    #[state(Summarizing)]
                    let summary = summarize(&history).await;
                    history = vec![("summary".to_string(), summary)];
                }
            }
            ChatEvent::End => {
                #[step]
                #[state(Ending)]
                let summary = summarize(&history).await;
                return (history, summary);
            }
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Job {
    name: String,
    every: u64,
    payload: Option<String>,
}

activities! {
    fn call_service(name: &str, payload: Option<&str>) {
        effect(format!("{}: {name} {payload:?}", world::now()));
    }
}

fn next_run(job: &Job, now: u64) -> Result<u64> {
    let next = now
        .checked_div(job.every)
        .ok_or_else(|| failure("no period"))?;
    Ok((next + 1) * job.every)
}

/// Restate, examples, cron.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn cron(job: Job) -> Result<u32> {
    let mut runs = 0;
    loop {
        let next = next_run(&job, world::now())?;
        let wait = std::time::Duration::from_secs(next - world::now());
        if timeout(wait, signal::<()>("stop")).await.is_some() {
            return Ok(runs);
        }
        #[step]
        call_service(&job.name, job.payload.as_deref()).await;
        runs += 1;
    }
}

activities! {
    fn run_critical(resource: &str, user: &str) {
        effect(format!("{user} uses {resource}"));
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Request {
    user: String,
    limit: u64,
}

/// Temporal, samples-go, mutex: the entity that owns a resource.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn mutex(resource: String) -> Vec<String> {
    let mut released = Vec::new();
    while let Some(request) = timeout(hours(1), signal::<Request>("acquire")).await {
        let Request { user, limit } = request;
        #[step]
        run_critical(&resource, &user).await;
        let deadline: u64 = world::now() + limit;
        let note: Option<String> =
            timeout(std::time::Duration::from_secs(limit), signal(&user)).await;
        match note {
            Some(note) => released.push(format!("{user}: {note}")),
            None => {
                sleep_until(deadline).await;
                released.push(format!("{user} lost {resource}"));
            }
        }
    }
    released
}

#[test]
fn cart_collects_items_until_checkout() {
    let add = |item: &str| CartEvent::Add(item.into());
    let script = Script::new()
        .message(1, "cart", add("pen"))
        .message(2, "cart", add("ink"))
        .message(3, "cart", add("pen"))
        .message(4, "cart", CartEvent::Remove { item: "ink".into() });
    let paid = script.clone().message(9, "cart", CartEvent::Checkout);
    let (output, effects) = world::run(&paid, shopping_cart);
    assert_eq!(output, Some(2));
    assert_eq!(effects, [r#"order {"pen": 2}"#]);
    assert_eq!(world::run(&script, shopping_cart).0, None);
}

#[test]
fn subscription_is_charged_until_it_is_cancelled() {
    let plan = Plan {
        trial_days: 14,
        period_days: 30,
        max_periods: 3,
        charge: 100,
    };
    let customer = Customer {
        id: "c1".into(),
        email: "a@b".into(),
        plan,
    };
    let make = || subscription(customer.clone());
    assert_eq!(
        world::run(&Script::new(), make).0,
        Ok("c1 paid 330".to_owned())
    );
    let trial = Script::new().message(86_400, "cancel", ());
    assert_eq!(
        world::run(&trial, make).0,
        Ok("c1 cancelled in the trial".to_owned())
    );
    let later = Script::new().message(50 * 86_400, "cancel", ());
    assert_eq!(
        world::run(&later, make).0,
        Ok("c1 cancelled after 210".to_owned())
    );
    assert!(
        world::run(&Script::new().failing("charge_period"), make)
            .0
            .is_err()
    );
}

#[test]
fn long_chat_is_summarized() {
    let prompt = |text: &str| ChatEvent::Prompt(text.into());
    let script = (1..=4).fold(Script::new(), |script, at| {
        script.message(at, "chat", prompt("x"))
    });
    let script = script.message(9, "chat", ChatEvent::End);
    let ((history, summary), _) = world::run(&script, || chat(None));
    assert_eq!(history[0].1, "summary of 6 messages");
    assert_eq!(summary, "summary of 3 messages");
    let ((history, _), _) = world::run(&script, || chat(Some("before".into())));
    assert_eq!(history[0].1, "summary of 7 messages");
}

#[test]
fn job_runs_until_it_is_stopped() {
    let make = |every| {
        cron(Job {
            name: "job".into(),
            every,
            payload: None,
        })
    };
    let script = Script::new().message(35, "stop", ());
    let (output, effects) = world::run(&script, || make(10));
    assert_eq!((output, effects.len()), (Ok(3), 3));
    assert_eq!(world::run(&script, || make(0)).0, Err(failure("no period")));
}

#[test]
fn resource_has_one_user_at_a_time() {
    let request = |user: &str| Request {
        user: user.into(),
        limit: 60,
    };
    let script = Script::new()
        .message(1, "acquire", request("a"))
        .message(2, "acquire", request("b"))
        .message(20, "a", "done");
    let (output, effects) = world::run(&script, || mutex("disk".into()));
    assert_eq!(output, ["a: done", "b lost disk"]);
    assert_eq!(effects, ["a uses disk", "b uses disk"]);
}
