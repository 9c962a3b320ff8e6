//! Programs and functions that run in a runtime of their own.
#![deny(warnings)]

use std::rc::Rc;
use std::time::Duration;

mod inner {
    pub use volt as runtime;
}

/// A question mark converts the error, and an early return is the function's own.
#[volt::main(workers = 1)]
async fn fallible() -> Result<u32, Box<dyn std::error::Error>> {
    let number: u32 = "7".parse()?;
    if number == 7 {
        return Ok(volt::spawn(async move { number }).await?);
    }
    let _: u32 = "no number".parse()?;
    unreachable!()
}

#[volt::main(flavor = "current_thread", start_paused = true)]
async fn local() -> Rc<u32> {
    let task = volt::spawn_local(async {
        volt::time::sleep(Duration::from_secs(3600)).await;
        Rc::new(6)
    });
    task.await.unwrap()
}

/// Where to find volt.
#[inner::runtime::main(crate = inner::runtime, flavor = "multi_thread", workers = 2,)]
pub(crate) async fn elsewhere() {
    assert!(volt::Handle::current().stats().workers.len() == 2);
}

#[volt::main]
async fn main() -> Result<(), std::io::Error> {
    let all = volt::spawn_blocking(|| {
        elsewhere();
        (fallible().unwrap(), *local())
    });
    assert_eq!(all.await?, (7, 6));
    Ok(())
}
