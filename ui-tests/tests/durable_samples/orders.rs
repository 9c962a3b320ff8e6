//! Orders that wait for payments and drivers.

use serde::{Deserialize, Serialize};

use super::durable::{Result, activities, attempt, days, failure, minutes, signal, sleep, timeout};
use super::world::{self, Script, effect};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum OrderStatus {
    Paid,
    Cancelled,
}

activities! {
    fn create_order() -> u64 {
        effect("create order");
        17
    }
    fn reserve_inventory() -> bool {
        effect("reserve");
        !world::is_failing("reserve")
    }
    fn undo_reserve() {
        effect("release");
    }
    fn update_status(order: u64, status: &OrderStatus) {
        effect(format!("order {order} is {status:?}"));
    }
    fn update_progress(order: u64) -> u32 {
        effect(format!("progress of {order} at {}", world::now()));
        1
    }
}

/// DBOS, demo apps, `widget-store`.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn checkout() -> Result<u64> {
    #[step]
    let order = create_order().await;
    #[step]
    let reserved = reserve_inventory().await;
    if !reserved {
        #[step]
        #[state(OutOfStock)]
        update_status(order, &OrderStatus::Cancelled).await;
        return Err(failure("no inventory"));
    }
    let status: Option<String> = timeout(minutes(1), signal("payment")).await;
    if status.as_deref() == Some("paid") {
        #[step]
        #[state(Paid)]
        update_status(order, &OrderStatus::Paid).await;
        dispatch(order).await;
    } else {
        #[step]
        undo_reserve().await;
        #[step]
        #[state(Unpaid)]
        update_status(order, &OrderStatus::Cancelled).await;
    }
    Ok(order)
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn dispatch(order: u64) {
    for _ in 0..3 {
        sleep(minutes(1)).await;
        #[step]
        update_progress(order).await;
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Product {
    name: String,
    cents: u64,
}

activities! {
    fn charge(product: &Product) -> Result<()> {
        effect(format!("charge {}", product.cents));
        attempt("charge")
    }
    fn refund(product: &Product) {
        effect(format!("refund {}", product.cents));
    }
    fn notify(text: &str) {
        effect(format!("notify: {text}"));
    }
}

/// Temporal, samples-typescript, `food-delivery`.
#[volt::state_machine(derive(Serialize, Deserialize))]
async fn deliver_food(product: Product) -> Result<()> {
    #[step]
    let charged = charge(&product).await;
    match charged {
        Ok(()) => {}
        Err(error) => {
            let message = format!("cannot charge for {}: {}", product.name, error.0);
            #[step]
            #[state(ChargeFailed)]
            notify(&message).await;
            return Err(failure(message));
        }
    }

    let Some(()) = timeout(minutes(1), signal("picked up")).await else {
        refund_and_notify(product, "no driver was available".to_string()).await;
        return Err(failure("not picked up in time"));
    };
    #[step]
    #[state(PickedUp)]
    notify("picked up").await;

    let Some(()) = timeout(minutes(1), signal("delivered")).await else {
        refund_and_notify(product, "the driver could not deliver".to_string()).await;
        return Err(failure("not delivered in time"));
    };
    #[step]
    #[state(Delivered)]
    notify("delivered").await;

    sleep(days(1)).await;
    let question = format!("how was the {}?", product.name.to_lowercase());
    #[step]
    #[state(Rating)]
    notify(&question).await;
    Ok(())
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn refund_and_notify(product: Product, message: String) {
    #[step]
    refund(&product).await;
    #[step]
    notify(&message).await;
}

#[test]
fn checkout_waits_for_the_payment() {
    let paid = Script::new().message(30, "payment", "paid");
    let (output, effects) = world::run(&paid, checkout);
    assert_eq!(output, Ok(17));
    assert_eq!(effects.last().unwrap(), "progress of 17 at 210");

    let (_, effects) = world::run(&Script::new(), checkout);
    assert_eq!(effects[2..], ["release", "order 17 is Cancelled"]);
    let (output, _) = world::run(&Script::new().failing("reserve"), checkout);
    assert_eq!(output, Err(failure("no inventory")));
}

#[test]
fn food_is_delivered_or_refunded() {
    let make = || {
        deliver_food(Product {
            name: "Pizza".into(),
            cents: 900,
        })
    };
    let delivered = Script::new()
        .message(10, "picked up", ())
        .message(20, "delivered", ());
    let (output, effects) = world::run(&delivered, make);
    assert_eq!(output, Ok(()));
    assert_eq!(effects.last().unwrap(), "notify: how was the pizza?");

    let late = Script::new()
        .message(10, "picked up", ())
        .message(500, "delivered", ());
    let (output, effects) = world::run(&late, make);
    assert_eq!(output, Err(failure("not delivered in time")));
    assert_eq!(
        effects[2..],
        ["refund 900", "notify: the driver could not deliver"]
    );
    assert!(world::run(&Script::new(), make).0.is_err());
    assert!(
        world::run(&Script::new().failing("charge"), make)
            .0
            .is_err()
    );
}
