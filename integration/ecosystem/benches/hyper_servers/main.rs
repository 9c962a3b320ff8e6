//! hyper on volt, on tokio and on smol: requests a second, and instructions a request.
//!
//! ```text
//! cargo bench --no-default-features --bench hyper_servers                  15 rounds, each with every server in turn
//! cargo bench --no-default-features --bench hyper_servers -- --rounds 31   more rounds
//! cargo bench --no-default-features --bench hyper_servers -- --count       instructions only: callgrind counts them
//! ```
//!
//! Each server is a process of its own with two workers. One thread of this process keeps 64
//! connections busy over loopback by HTTP/1 with keep-alive, for one server after the other. The
//! result is the median, with half the interquartile range.

mod count;
mod load;
mod server;
mod servers;

use std::time::Duration;

use load::Load;
use server::Server;

const CONNECTIONS: usize = 64;
const ROUND: Duration = Duration::from_millis(700);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| args.iter().position(|arg| arg == name);
    if let Some(at) = has("--serve") {
        return servers::run(&args[at + 1]);
    }
    let rounds = has("--rounds").map_or(15, |at| args[at + 1].parse().expect("a number"));
    let mut rates = vec![Vec::new(); servers::NAMES.len()];
    if has("--count").is_none() {
        measure(rounds, &mut rates);
    }
    println!("| hyper on | requests a second | instructions a request |");
    println!("| --- | ---: | ---: |");
    for (name, rates) in servers::NAMES.iter().zip(&mut rates) {
        let instructions = count::instructions(name).map_or("–".to_owned(), |n| n.to_string());
        println!("| {name} | {} | {instructions} |", summary(rates));
    }
}

fn measure(rounds: usize, rates: &mut [Vec<f64>]) {
    let servers: Vec<Server> = servers::NAMES
        .iter()
        .map(|name| Server::start(name))
        .collect();
    let mut loads: Vec<Load> = servers
        .iter()
        .map(|server| Load::connect(server.address, CONNECTIONS))
        .collect();
    for round in 0..=rounds {
        for turn in 0..loads.len() {
            let which = (round + turn) % loads.len();
            let rate = loads[which].run_for(ROUND);
            // The first one warms up.
            if round > 0 {
                rates[which].push(rate);
            }
        }
    }
}

fn summary(rates: &mut [f64]) -> String {
    if rates.is_empty() {
        return "–".to_owned();
    }
    rates.sort_by(f64::total_cmp);
    let at = |part: f64| rates[((rates.len() - 1) as f64 * part).round() as usize];
    let spread = (at(0.75) - at(0.25)) / 2.0 / at(0.5) * 100.0;
    format!("{:.0} ±{spread:.0} %", at(0.5))
}
