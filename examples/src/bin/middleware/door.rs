//! Who is let in: a predicate that knows at once, and one that has to ask.

use examples::middleware::{AsyncPredicate, Predicate};
use volt::task::yield_now;

use crate::kitchen::Order;

/// Lets nobody in who wants nothing.
#[derive(Debug, Clone)]
pub(crate) struct Closed;

impl Predicate<Order> for Closed {
    type Request = Order;
    type Refusal = &'static str;

    fn check(&mut self, order: Order) -> Result<Order, &'static str> {
        match order.dish {
            "" => Err("nothing was ordered"),
            _ => Ok(order),
        }
    }
}

/// Asks whether the dish is on the menu.
#[derive(Debug, Clone)]
pub(crate) struct Menu;

impl AsyncPredicate<Order> for Menu {
    type Request = Order;
    type Refusal = &'static str;
    type Future = Ask;

    fn check(&mut self, order: Order) -> Ask {
        ask(order)
    }
}

/// Asks, which takes a turn.
#[volt::state_machine]
pub(crate) async fn ask(order: Order) -> Result<Order, &'static str> {
    yield_now().await;
    match order.dish {
        "tripe" => Err("there is no tripe today"),
        _ => Ok(order),
    }
}
