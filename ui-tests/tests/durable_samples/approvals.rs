//! Functions that wait for the answer of a person or of another service.

use serde::{Deserialize, Serialize};

use super::durable::{
    Result, activities, attempt, days, failure, hours, minutes, signal, sleep, timeout,
};
use super::world::{self, Script, effect};

activities! {
    fn create_expense(id: &str) -> Result<()> {
        effect(format!("create {id}"));
        attempt("create_expense")
    }
    fn pay_expense(id: &str) -> Result<()> {
        effect(format!("pay {id}"));
        attempt("pay_expense")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Decision {
    Approved,
    Rejected { code: u32 },
}

/// Temporal, samples-go, expense.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn expense(id: String) -> Result<String> {
    #[step]
    create_expense(&id).await?;
    let decision = timeout(minutes(10), signal::<Decision>(&id))
        .await
        .ok_or_else(|| failure("nobody decided"))?;
    match decision {
        Decision::Approved => {
            #[step]
            pay_expense(&id).await?;
            Ok("completed".to_string())
        }
        Decision::Rejected { code } => Ok(format!("rejected: {code}")),
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Task {
    agent: String,
    text: String,
}

#[derive(Debug, Serialize, Deserialize)]
enum Response {
    Confirm,
    Deny { reason: String },
}

activities! {
    fn set_status(agent: &str, status: &str) {
        effect(format!("{agent} is {status}"));
    }
    fn work(text: &str) -> String {
        format!("{text}: done")
    }
}

/// DBOS, demo apps, agent inbox.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn agent_inbox(task: Task) -> Result<String> {
    #[step]
    #[state(Beginning)]
    set_status(&task.agent, "working").await;
    #[step]
    let draft = work(&task.text).await;
    #[step]
    #[state(Waiting)]
    set_status(&task.agent, "pending approval").await;
    let response: Option<Response> = timeout(hours(1), signal("response")).await;
    match response {
        None => {
            #[step]
            #[state(TimedOut)]
            set_status(&task.agent, "denied").await;
            Err(failure("the approval timed out"))
        }
        Some(response) => match response {
            Response::Deny { reason } => {
                #[step]
                #[state(Denied)]
                set_status(&task.agent, "denied").await;
                Err(failure(reason))
            }
            Response::Confirm => {
                #[step]
                #[state(Confirmed)]
                set_status(&task.agent, "working").await;
                Ok(draft)
            }
        },
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Purchase {
    order: u64,
    item: String,
    price: u64,
}

activities! {
    fn find_purchase(order: u64) -> Option<Purchase> {
        let price = if order == 2 { 5_000 } else { 20 };
        (order < 3).then(|| Purchase { order, item: format!("item {order}"), price })
    }
    fn set_purchase(order: u64, status: &str) {
        effect(format!("order {order}: {status}"));
    }
    fn send_approval_mail(purchase: &Purchase) {
        effect(format!("mail about {} for {}", purchase.item, purchase.price));
    }
}

/// DBOS, demo apps, reliable refunds.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn process_refund(order: u64) -> String {
    #[step]
    let found = find_purchase(order).await;
    let Some(purchase) = found else {
        return "check your input".to_string();
    };
    if purchase.price <= 1000 {
        #[step]
        #[state(Refunding)]
        set_purchase(purchase.order, "refunded").await;
        return format!("the refund of {} is approved", purchase.item);
    }
    #[step]
    #[state(Pending)]
    set_purchase(purchase.order, "pending refund").await;
    if approve(purchase).await {
        format!("order {order} was refunded after a review")
    } else {
        format!("the refund of order {order} was rejected")
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn approve(purchase: Purchase) -> bool {
    #[step]
    send_approval_mail(&purchase).await;
    let answer: Option<String> = timeout(days(7), signal("refund")).await;
    let status = match answer.as_deref() {
        Some("approve") => "refunded".to_string(),
        _ => "rejected".to_string(),
    };
    #[step]
    set_purchase(purchase.order, &status).await;
    status == "refunded"
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct User {
    name: String,
    email: String,
}

activities! {
    fn create_user(user: &User) -> Result<()> {
        effect(format!("create {}", user.name));
        attempt("create_user")
    }
    fn new_secret(id: &str) -> String {
        format!("secret of {id}")
    }
    fn send_link(id: &str, user: &User, secret: &str) -> Result<()> {
        effect(format!("link for {id} to {}: {secret}", user.email));
        Ok(())
    }
}

/// Restate, examples, workflows of the Rust basics.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn sign_up(id: String, user: User) -> Result<bool> {
    #[step]
    create_user(&user).await?;
    #[step]
    let secret = new_secret(&id).await;
    #[step]
    send_link(&id, &user, &secret).await?;
    Ok(signal::<String>("email link").await == secret)
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Payment {
    method: String,
    cents: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Intent {
    id: String,
    status: Status,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Status {
    Processing,
    Succeeded,
    Failed,
}

activities! {
    fn create_intent(payment: &Payment, key: &str) -> Result<Intent> {
        effect(format!("{key}: {} by {}", payment.cents, payment.method));
        attempt("create_intent")?;
        let status = if payment.method == "slow" { Status::Processing } else { Status::Succeeded };
        Ok(Intent { id: format!("intent {key}"), status })
    }
    fn new_key() -> String {
        "key 1".to_string()
    }
}

/// Restate, examples, payments with signals.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pay(payment: Payment) -> Result<()> {
    if payment.cents == 0 {
        return Err(failure("no amount"));
    }
    #[step]
    let key = new_key().await;
    #[step]
    let Intent { id, mut status } = create_intent(&payment, &key).await?;
    if status == Status::Processing {
        println!("{key} is still processing");
        status = signal(&id).await;
    }
    match status {
        Status::Succeeded => Ok(()),
        status => Err(failure(format!("{id}: {status:?}"))),
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SignedUp {
    user: String,
    email: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Opened {
    template: String,
}

activities! {
    fn send_mail(to: &str, template: &str) {
        effect(format!("mail to {to}: {template}"));
    }
}

/// Inngest, demo, customer onboarding.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn onboarding(event: SignedUp) -> bool {
    #[step]
    #[state(Welcome)]
    send_mail(&event.email, "welcome").await;
    sleep(days(2)).await;
    #[step]
    #[state(News)]
    send_mail(&event.email, "new in stock").await;
    let opened: Option<Opened> = timeout(days(3), signal(&event.user)).await;
    if opened.is_none_or(|opened| opened.template != "new in stock") {
        #[step]
        #[state(Discount)]
        send_mail(&event.email, "10 % discount").await;
        return false;
    }
    true
}

#[test]
fn expense_waits_for_a_decision() {
    let make = || expense("e1".into());
    let approved = Script::new().message(9, "e1", Decision::Approved);
    let (output, effects) = world::run(&approved, make);
    assert_eq!(output, Ok("completed".to_owned()));
    assert_eq!(effects, ["create e1", "pay e1"]);
    let rejected = Script::new().message(9, "e1", Decision::Rejected { code: 4 });
    assert_eq!(world::run(&rejected, make).0, Ok("rejected: 4".to_owned()));
    assert_eq!(
        world::run(&Script::new(), make).0,
        Err(failure("nobody decided"))
    );
}

#[test]
fn agent_waits_for_a_confirmation() {
    let make = || {
        agent_inbox(Task {
            agent: "a".into(),
            text: "mail".into(),
        })
    };
    let confirmed = Script::new().message(60, "response", Response::Confirm);
    assert_eq!(world::run(&confirmed, make).0, Ok("mail: done".to_owned()));
    let denied = Script::new().message(
        60,
        "response",
        Response::Deny {
            reason: "no".into(),
        },
    );
    let (output, effects) = world::run(&denied, make);
    assert_eq!(output, Err(failure("no")));
    assert_eq!(effects.last().unwrap(), "a is denied");
    assert!(world::run(&Script::new(), make).0.is_err());
}

#[test]
fn large_refund_waits_for_a_review() {
    assert!(
        world::run(&Script::new(), || process_refund(1))
            .0
            .contains("approved")
    );
    assert!(
        world::run(&Script::new(), || process_refund(9))
            .0
            .contains("check")
    );
    let approved = Script::new().message(86_400, "refund", "approve");
    let (output, effects) = world::run(&approved, || process_refund(2));
    assert_eq!(output, "order 2 was refunded after a review");
    assert_eq!(effects.last().unwrap(), "order 2: refunded");
    assert!(
        world::run(&Script::new(), || process_refund(2))
            .0
            .contains("rejected")
    );
}

#[test]
fn sign_up_compares_the_secret() {
    let user = || User {
        name: "Ada".into(),
        email: "a@b".into(),
    };
    let make = || sign_up("u1".into(), user());
    let clicked = Script::new().message(5, "email link", "secret of u1");
    assert_eq!(world::run(&clicked, make).0, Ok(true));
    let wrong = Script::new().message(5, "email link", "secret of u2");
    assert_eq!(world::run(&wrong, make).0, Ok(false));
    assert!(
        world::run(&Script::new().failing("create_user"), make)
            .0
            .is_err()
    );
}

#[test]
fn slow_payment_waits_for_its_webhook() {
    let make = |method: &str, cents| {
        pay(Payment {
            method: method.into(),
            cents,
        })
    };
    assert_eq!(world::run(&Script::new(), || make("card", 5)).0, Ok(()));
    let succeeded = Script::new().message(99, "intent key 1", Status::Succeeded);
    assert_eq!(world::run(&succeeded, || make("slow", 5)).0, Ok(()));
    let failed = Script::new().message(99, "intent key 1", Status::Failed);
    assert_eq!(
        world::run(&failed, || make("slow", 5)).0,
        Err(failure("intent key 1: Failed"))
    );
    assert!(world::run(&Script::new(), || make("card", 0)).0.is_err());
}

#[test]
fn unopened_mail_is_followed_by_a_discount() {
    let make = || {
        onboarding(SignedUp {
            user: "u1".into(),
            email: "a@b".into(),
        })
    };
    let opened = |template: &str| Opened {
        template: template.into(),
    };
    let script = Script::new().message(3 * 86_400, "u1", opened("new in stock"));
    assert_eq!(world::run(&script, make).1.len(), 2);
    let script = Script::new().message(3 * 86_400, "u1", opened("other"));
    assert_eq!(world::run(&script, make).1.len(), 3);
    assert!(!world::run(&Script::new(), make).0);
}
