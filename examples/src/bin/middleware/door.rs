//! Two filters of orders: a predicate that decides at once, and one that has to wait.

use examples::middleware::{AsyncPredicate, Predicate};
use volt::task::yield_now;

use crate::kitchen::Order;

/// Refuses empty orders.
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

/// Accepts an order if its dish is on the menu.
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

/// Looks the dish up, which takes one turn of the scheduler.
#[volt::state_machine]
pub(crate) async fn ask(order: Order) -> Result<Order, &'static str> {
    yield_now().await;
    match order.dish {
        "tripe" => Err("there is no tripe today"),
        _ => Ok(order),
    }
}
