//! Timers, reminders and polling loops.

use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::durable::{
    Either, Result, activities, attempt, days, failure, minutes, select, signal, sleep,
    sleep_until, timeout,
};
use super::world::{self, Script, effect};

activities! {
    fn send_email(text: &str) {
        effect(format!("{}: {text}", world::now()));
    }
}

/// Temporal, samples-go, sleep for days.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn sleep_for_days() -> String {
    loop {
        #[step]
        send_email("sleeping for 30 days").await;
        if let Some(()) = timeout(days(30), signal("complete")).await {
            break "done".to_string();
        }
    }
}

/// Temporal, samples-go, updatable timer.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn updatable_timer(mut wake_up: u64) -> u64 {
    loop {
        match select(sleep_until(wake_up), signal::<u64>("wake up")).await {
            Either::Left(_) => return wake_up,
            Either::Right((update, _)) => wake_up = update,
        }
    }
}

const FROM_FIRST: Duration = Duration::from_secs(60);
const BETWEEN: Duration = Duration::from_secs(30);

/// Temporal, samples-go, await signals.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn await_signals() -> Result<Vec<u32>> {
    let one: u32 = signal("one").await;
    let mut values = vec![one];
    let first = world::now();
    for name in vec!["two".to_string(), "three".to_string()] {
        let passed = Duration::from_secs(world::now() - first);
        let Some(left) = FROM_FIRST.checked_sub(passed) else {
            return Err(failure("too late"));
        };
        let value: Option<u32> = timeout(left.min(BETWEEN), signal(&name)).await;
        match value {
            Some(value) => values.push(value),
            None => return Err(failure(format!("no signal {name}"))),
        }
    }
    Ok(values)
}

activities! {
    fn send_reminder(invoice: &str, count: u32) {
        effect(format!("reminder {count} for {invoice}"));
    }
    fn escalate(invoice: &str) {
        effect(format!("escalate {invoice}"));
    }
}

/// Restate, examples, payment reminders.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn payment_reminders(invoice: String) -> bool {
    for count in 1..=3 {
        #[step]
        send_reminder(&invoice, count).await;
        if timeout(days(1), signal::<()>("paid")).await.is_some() {
            return true;
        }
    }
    #[step]
    escalate(&invoice).await;
    false
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Offer {
    flight: String,
    price: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Watch {
    name: String,
    from: String,
    to: String,
    limit: u64,
}

activities! {
    fn best_offer(from: &str, to: &str, limit: u64) -> Offer {
        effect(format!("look for {from} to {to}"));
        let price = limit + 40 - world::now().min(60);
        Offer { flight: format!("{from}-{to}"), price }
    }
}

/// Restate, examples, flight price watcher of the chat bot.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn watch_prices(watch: Watch) -> String {
    let mut last = None;
    loop {
        #[step]
        let offer = best_offer(&watch.from, &watch.to, watch.limit).await;
        if offer.price <= watch.limit {
            return format!("found an offer for {}: {offer:?}", watch.name);
        }
        last.replace(offer);
        if timeout(Duration::from_secs(10), signal::<()>("cancelled"))
            .await
            .is_some()
        {
            break;
        }
    }
    format!("{} was cancelled, the last was {last:?}", watch.name)
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum PostStatus {
    Pending,
    Done,
}

activities! {
    fn create_post(user: &str, text: &str) -> String {
        effect(format!("post of {user}: {text}"));
        "post 1".to_string()
    }
    fn post_status(post: &str) -> PostStatus {
        effect(format!("status of {post}"));
        if world::now() < 12 { PostStatus::Pending } else { PostStatus::Done }
    }
    fn update_feed(user: &str, post: &str) {
        effect(format!("feed of {user}: {post}"));
    }
}

/// Restate, examples, user feed.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn process_post(user: String, text: String) -> String {
    #[step]
    let post = create_post(&user, &text).await;
    loop {
        #[step]
        let status = post_status(&post).await;
        if status == PostStatus::Done {
            break;
        }
        sleep(Duration::from_secs(5)).await;
    }
    #[step]
    update_feed(&user, &post).await;
    post
}

activities! {
    fn send_delay_notice(order: u64) {
        effect(format!("order {order} is delayed"));
    }
    fn pack(order: u64) -> u64 {
        effect(format!("pack {order}"));
        order * 10
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn processing(order: u64) -> u64 {
    sleep(minutes(order)).await;
    #[step]
    pack(order).await
}

/// Temporal, samples-typescript, timer examples.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn process_order(order: u64) -> String {
    let parcel = match select(processing(order), sleep(minutes(5))).await {
        Either::Left((parcel, _)) => parcel,
        Either::Right(((), rest)) => {
            #[step]
            send_delay_notice(order).await;
            rest.await
        }
    };
    format!("order completed: {parcel}")
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Item {
    id: String,
    value: u32,
}

activities! {
    fn get_item(name: &str) -> Result<Option<Item>> {
        effect(format!("get {name}"));
        attempt("get_item")?;
        Ok((world::now() >= 2).then(|| Item { id: name.to_string(), value: 7 }))
    }
}

/// AWS, durable execution SDK for JavaScript, steps with retry.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn poll_item(name: String) -> Result<Item> {
    let mut attempts = 0;
    let item = loop {
        attempts += 1;
        if attempts > 5 {
            break None;
        }
        #[step]
        let found = get_item(&name).await?;
        if let Some(item) = found {
            break Some(item);
        }
        sleep(Duration::from_secs(1)).await;
    };
    item.ok_or_else(|| failure(format!("no item {name} after {attempts} attempts")))
}

#[test]
fn mail_is_sent_each_month() {
    let script = Script::new().message(70 * 86_400, "complete", ());
    assert_eq!(world::run(&script, sleep_for_days).1.len(), 3);
}

#[test]
fn timer_is_moved_by_signals() {
    let script = Script::new()
        .message(50, "wake up", 300)
        .message(80, "wake up", 200);
    assert_eq!(world::run(&script, || updatable_timer(100)).0, 200);
    assert_eq!(world::run(&Script::new(), || updatable_timer(100)).0, 100);
}

#[test]
fn late_signal_is_an_error() {
    let script = Script::new().message(100, "one", 1).message(120, "two", 2);
    let in_time = script.clone().message(145, "three", 3);
    assert_eq!(world::run(&in_time, await_signals).0, Ok(vec![1, 2, 3]));
    let late = script.message(155, "three", 3);
    assert_eq!(
        world::run(&late, await_signals).0,
        Err(failure("no signal three"))
    );
}

#[test]
fn unpaid_invoice_is_escalated() {
    let make = || payment_reminders("i1".into());
    let (output, effects) = world::run(&Script::new(), make);
    assert!(!output);
    assert_eq!(effects.last().unwrap(), "escalate i1");
    let script = Script::new().message(2 * 86_400 - 1, "paid", ());
    let (output, effects) = world::run(&script, make);
    assert_eq!((output, effects.len()), (true, 2));
}

#[test]
fn cheap_offer_ends_the_watch() {
    let [name, from, to] = ["trip", "A", "B"].map(String::from);
    let watch = Watch {
        name,
        from,
        to,
        limit: 100,
    };
    let (output, effects) = world::run(&Script::new(), || watch_prices(watch.clone()));
    assert!(output.starts_with("found an offer for trip"), "{output}");
    assert_eq!(effects.len(), 5);
    let script = Script::new().message(15, "cancelled", ());
    let (output, _) = world::run(&script, || watch_prices(watch.clone()));
    assert!(output.contains("price: 130"), "{output}");
}

#[test]
fn post_is_polled_until_it_is_done() {
    let (output, effects) = world::run(&Script::new(), || process_post("u".into(), "hi".into()));
    assert_eq!(output, "post 1");
    assert_eq!(effects.len(), 2 + 4);
}

#[test]
fn slow_order_sends_a_notice() {
    let (output, effects) = world::run(&Script::new(), || process_order(2));
    assert_eq!((output.as_str(), effects.len()), ("order completed: 20", 1));
    let (output, effects) = world::run(&Script::new(), || process_order(9));
    assert_eq!(output, "order completed: 90");
    assert_eq!(effects, ["order 9 is delayed", "pack 9"]);
}

#[test]
fn item_is_polled_until_it_exists() {
    let (output, effects) = world::run(&Script::new(), || poll_item("x".into()));
    assert_eq!(
        output,
        Ok(Item {
            id: "x".into(),
            value: 7
        })
    );
    assert_eq!(effects.len(), 3);
    assert!(
        world::run(&Script::new().failing("get_item"), || poll_item("x".into()))
            .0
            .is_err()
    );
}
