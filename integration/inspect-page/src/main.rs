//! A service with five faults beside many healthy tasks, for the tests of the inspection page.
//!
//! `inspect-page [TASKS] [TOKEN]` prints the URL of the page, and runs until its input ends.

use std::future::pending;
use std::io::{Read, stdin};
use std::sync::mpsc::channel;
use std::time::Duration;

use volt::runtime::{InspectAddress, Runtime};
use volt::time::sleep;
use volt::{JoinHandle, spawn};
use volt_durable::store::{MemoryStore, NewMachine, Store};
use volt_durable::{Client, show_machines};

#[volt::state_machine]
async fn read_frame(pace: Duration) -> u32 {
    sleep(pace).await;
    1
}

#[volt::state_machine]
async fn session(user: u32) {
    let mut frames: u32 = user % 3;
    loop {
        frames += read_frame(Duration::from_secs(3600)).await;
        if frames > 1_000_000 {
            break;
        }
    }
}

#[volt::state_machine]
async fn keep_alive(pace: Duration) {
    loop {
        sleep(pace).await;
    }
}

#[volt::state_machine]
async fn retry(pause: Duration) {
    sleep(pause).await;
}

#[volt::state_machine]
async fn forgotten() {
    pending::<()>().await;
}

#[volt::state_machine]
async fn wait_for(other: JoinHandle<()>) {
    drop(other.await);
}

#[volt::state_machine]
async fn parse(released: std::sync::mpsc::Receiver<()>) {
    sleep(Duration::from_millis(50)).await;
    let _ended = released.recv();
}

/// Starts two tasks that wait for each other.
fn spawn_cycle(runtime: &Runtime) {
    let handle = runtime.handle();
    let (send, receive) = channel::<JoinHandle<()>>();
    let flusher = handle.spawn_named("flusher", async move {
        sleep(Duration::from_millis(20)).await;
        let index = receive.recv().expect("the other task is spawned");
        wait_for(index).await;
    });
    let index = handle.spawn_named("index", async move { wait_for(flusher).await });
    send.send(index).expect("the other task waits");
}

/// Shows the page of two machines that no worker has claimed for ten minutes, and of a new one.
async fn show_durable_machines() -> volt_durable::Result<()> {
    let store = MemoryStore::paused();
    let ten_minutes = Duration::from_secs(600);
    for (machine_type, key, age) in [("Ship", "a", Duration::ZERO), ("Ship", "b", ten_minutes), ("Pay", "c", Duration::ZERO)] {
        let new = NewMachine {
            machine_type: machine_type.into(),
            key: key.into(),
            state: "Waiting".into(),
            snapshot: r#"{"Waiting":{"order":7}}"#.into(),
        };
        store.start(&new).await?;
        store.advance(age);
    }
    show_machines(Client::new(store));
    Ok(())
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().map_or(10_000, |text| text.parse().expect("a number"));
    let mut address = InspectAddress::from(0);
    if let Some(token) = arguments.next() {
        address = address.token(token);
    }
    let runtime = Runtime::builder().worker_threads(2).name("town").inspect(address).build()?;
    let handle = runtime.handle();
    for user in 0..count {
        handle.spawn_named("session", session(user)).detach();
    }
    for pace in 0..200 {
        let pace = Duration::from_millis(300 + pace);
        handle.spawn_named("keep-alive", keep_alive(pace)).detach();
    }
    handle.spawn_named("retry", retry(Duration::from_secs(30 * 86_400))).detach();
    handle.spawn_named("forgotten", forgotten()).detach();
    handle.spawn_named("<b>bold</b>", forgotten()).detach();
    spawn_cycle(&runtime);
    let (release, released) = channel();
    handle.spawn_named("parse", parse(released)).detach();
    runtime.block_on(show_durable_machines()).expect("a store in memory");
    println!("{}", handle.inspect_endpoint().expect("the server runs"));
    // Each line of the input starts ten tasks, and the end of the input ends the program.
    let mut byte = [0];
    while stdin().read(&mut byte)? == 1 {
        runtime.block_on(async {
            for user in 0..10 {
                spawn(retry(Duration::from_secs(60 + user))).detach();
            }
        });
    }
    drop(release);
    runtime.shutdown_background();
    Ok(())
}
