//! Orders: sagas, payments and shipments.

use serde::{Deserialize, Serialize};

use crate::driver::assert_ends;
use crate::{Failure, call, message, sleep};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Order {
    id: u64,
    customer: String,
    items: Vec<Item>,
    note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Item {
    name: String,
    count: u32,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Outcome {
    Shipped { parcel: String },
    Refunded { why: String, undone: usize },
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn fulfil(order: Order) -> Outcome {
    let Order {
        id,
        customer,
        items,
        ..
    } = { order };
    let mut holds = Vec::new();
    let why = 'failed: {
        for item in items {
            let request = format!("{}/{}x{}", id, item.name, item.count);
            match call("stock".into(), request).await {
                Ok(hold) => holds.push(hold),
                Err(Failure::Final(why)) => break 'failed why,
                Err(Failure::Temporary { after }) => {
                    sleep(after).await;
                    break 'failed format!("no {} after {after} days", item.name);
                }
            }
        }
        let receipt = match call("card".into(), customer.clone()).await {
            Ok(receipt) => receipt,
            Err(_) => break 'failed "no payment".to_string(),
        };
        holds.push(receipt);
        match message(format!("parcel {id}"), 14).await {
            Some(parcel) => return Outcome::Shipped { parcel },
            None => "never sent".to_string(),
        }
    };
    drop(customer);
    let undone = holds.len();
    while let Some(hold) = holds.pop() {
        let _ = call("undo".into(), hold).await;
    }
    Outcome::Refunded { why, undone }
}

/// A saga whose parts are taken out of the argument by a pattern.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn prepare(order: Order) -> Result<Vec<String>, Failure> {
    let Order {
        id,
        items,
        note,
        customer: _customer,
    } = order;
    let mut labels = vec![format!("order {id}")];
    if let Some(note) = note {
        let printed = call("print".into(), note).await?;
        labels.push(printed);
    }
    for Item { name, count } in items {
        let label = call("label".into(), name).await?;
        labels.push(format!("{count} x {label}"));
    }
    Ok(labels)
}

/// Retries with a growing pause.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn pay(customer: String, cents: u64) -> Result<String, String> {
    let mut attempt = 0;
    let mut wait = 1;
    loop {
        attempt += 1;
        let request = if attempt < 3 {
            "later".to_string()
        } else {
            format!("{customer}:{cents}")
        };
        match call("card".to_string(), request).await {
            Ok(receipt) => return Ok(receipt),
            Err(Failure::Final(why)) => return Err(why),
            Err(Failure::Temporary { after: _ }) if attempt >= 5 => return Err("too often".into()),
            Err(Failure::Temporary { after }) => {
                sleep(after.max(wait)).await;
                wait *= 2;
            }
        }
    }
}

/// A shipment with `let` and `else`, whose `else` waits.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn ship(order: Order, address: Option<String>) -> Result<String, Failure> {
    let Some(address) = address else {
        call("mail".into(), order.customer.clone()).await?;
        let answer = message(order.customer.clone(), 7).await;
        return Ok(answer.unwrap_or_else(|| order.id.to_string()));
    };
    let weight: u32 = order.items.iter().map(|item| item.count).sum();
    let Ok(parcel) = call("parcel".into(), format!("{address} {weight}kg")).await else {
        call("undo".into(), order.id.to_string()).await?;
        return Err(Failure::Final(format!("order {}", order.id)));
    };
    Ok(parcel)
}

fn order() -> Order {
    let item = |name: &str, count| Item {
        name: name.into(),
        count,
    };
    Order {
        id: 7,
        customer: "Ada".into(),
        items: vec![item("pen", 2), item("ink", 1)],
        note: Some("gift".into()),
    }
}

#[test]
fn order_is_shipped() {
    let expected = Outcome::Shipped {
        parcel: "parcel 7 after 14".into(),
    };
    assert_ends(|| fulfil(order()), expected);
}

#[test]
fn order_is_refunded_after_failure() {
    let failing = |name: &str| {
        let mut order = order();
        order.items[1].name = name.into();
        order
    };
    let expected = Outcome::Refunded {
        why: "no later after 2 days".into(),
        undone: 1,
    };
    assert_ends(|| fulfil(failing("later")), expected);
    let expected = Outcome::Refunded {
        why: "stock: 7/refusedx1".into(),
        undone: 1,
    };
    assert_ends(|| fulfil(failing("refused")), expected);
}

#[test]
fn order_is_prepared() {
    let expected = ["order 7", "print-gift", "2 x label-pen", "1 x label-ink"];
    assert_ends(|| prepare(order()), Ok(expected.map(String::from).to_vec()));
}

#[test]
fn payment_is_retried() {
    assert_ends(|| pay("Ada".into(), 120), Ok("card-Ada:120".into()));
}

#[test]
fn shipment_without_address_queries_the_customer() {
    assert_ends(|| ship(order(), None), Ok("Ada after 7".into()));
    assert_ends(
        || ship(order(), Some("Rome".into())),
        Ok("parcel-Rome 3kg".into()),
    );
    assert_ends(
        || ship(order(), Some("refused".into())),
        Err(Failure::Final("order 7".into())),
    );
}
