//! A tower of middleware over a kitchen that fails, and what became of each order.

mod compilers;
mod door;
mod kitchen;
mod patience;
mod report;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use examples::command;
use examples::middleware::{
    AsyncFilter, AsyncFilterLayer, Backoff, Filter, FilterLayer, Limit, LimitLayer, Retry,
    RetryLayer, Timeout, TimeoutLayer,
};
use tower::{Service, ServiceBuilder, ServiceExt};
use volt::runtime::Runtime;

use door::{Closed, Menu};
use kitchen::{Kitchen, Log, Mood, Order};
use patience::Patience;

/// Orders that are cooked at a time.
const STOVES: usize = 3;
/// How long one attempt may take.
const LIMIT: Duration = Duration::from_millis(20);

/// The whole tower, from the door to the kitchen. It has a name, and so has its future.
type Tower = Filter<Later, Closed>;
type Later = AsyncFilter<Waiter, Menu>;
type Waiter = Retry<Attempt, Patience>;
type Attempt = Limit<Timeout<Kitchen>>;
type Meal = <Tower as Service<Order>>::Future;

/// The result of an order.
type Served = Result<<Tower as Service<Order>>::Response, <Tower as Service<Order>>::Error>;

/// The text that `--help` prints.
const HELP: &str = "\
Stacks timeout, retry, limit and filters over a kitchen that fails, and shows what became of each
order, where a slow one stands in all the layers, and how large their machines are.

Usage: middleware

Options:
  -h, --help  print this
";

fn main() -> ExitCode {
    if let Err(code) = command::read(HELP, command::nothing) {
        return code;
    }
    match run(&mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has ended, as with `| head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("middleware: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(out: &mut impl Write) -> io::Result<()> {
    let runtime = &Runtime::new()?;
    let log = Arc::new(Log::default());
    let tower = tower(&log);
    let orders = orders();
    let meals = runtime.block_on(serve(runtime, &tower, &orders));
    report::meals(out, &orders, &meals, &log)?;
    report::totals(out, &log)?;
    report::position(out, &stuck(runtime, tower))?;
    report::sizes(out)?;
    report::diagram(out)
}

fn tower(log: &Arc<Log>) -> Tower {
    let backoff = Backoff::new(3, Duration::from_millis(2));
    ServiceBuilder::new()
        .layer(FilterLayer::new(Closed))
        .layer(AsyncFilterLayer::new(Menu))
        .layer(RetryLayer::new(Patience::new(backoff, Arc::clone(log))))
        .layer(LimitLayer::new(STOVES))
        .layer(TimeoutLayer::new(LIMIT))
        .service(Kitchen::new(Arc::clone(log)))
}

/// Orders of every kind, and enough of them to fill the kitchen.
fn orders() -> Vec<Order> {
    let moods = [
        ("soup", Mood::Steady),
        ("souffle", Mood::Breaks { attempts: 2 }),
        ("roast", Mood::Slow { attempts: 1 }),
        ("tripe", Mood::Steady),
        ("crab", Mood::Breaks { attempts: 9 }),
        ("stew", Mood::Slow { attempts: 9 }),
        ("", Mood::Steady),
        ("bread", Mood::Steady),
    ];
    moods.map(|(dish, mood)| Order { dish, mood }).to_vec()
}

/// Orders all at once, each a task of its own, and waits for every meal.
async fn serve(runtime: &Runtime, tower: &Tower, orders: &[Order]) -> Vec<Served> {
    let mut tasks = Vec::new();
    for order in orders {
        let meal = order_of(tower, *order).await;
        tasks.push(runtime.spawn(meal));
    }
    let mut meals = Vec::new();
    for task in tasks {
        meals.push(task.await.expect("no meal panics or is cancelled"));
    }
    meals
}

/// Calls the tower once it is ready, and returns the machine that waits for the meal.
async fn order_of(tower: &Tower, order: Order) -> Meal {
    let mut guest = tower.clone();
    let ready = guest.ready().await.expect("the kitchen is always open");
    ready.call(order)
}

/// Returns a dump while the kitchen is busy with a slow order.
fn stuck(runtime: &Runtime, tower: Tower) -> volt::runtime::Dump {
    let stew = Order {
        dish: "stew",
        mood: Mood::Slow { attempts: 9 },
    };
    let meal = runtime.block_on(order_of(&tower, stew));
    let task = runtime.spawn(meal);
    loop {
        thread::sleep(Duration::from_millis(1));
        let dump = runtime.dump();
        if task.is_finished() || report::is_cooking(&dump) {
            return dump;
        }
    }
}
