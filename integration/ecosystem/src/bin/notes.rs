//! A service of notes: axum, SQLite by sqlx, and reqwest as its client, all in tasks of volt.
//!
//! `notes` runs a server and tries it; `notes ADDRESS [FILE]` serves until ctrl-c.

use std::error::Error;
use std::path::PathBuf;

use ecosystem::notes::{self, Client};
use volt::net::TcpListener;

type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next();
    let file = arguments.next().map(PathBuf::from);
    let runtime = volt::Runtime::builder().tokio_context().build()?;
    runtime.block_on(async {
        match address {
            Some(address) => serve(&address, file).await,
            None => tried().await,
        }
    })
}

async fn serve(address: &str, file: Option<PathBuf>) -> Outcome {
    let listener = TcpListener::bind(address)?;
    println!("notes: listening at {}", listener.local_addr()?);
    let pool = notes::open(file.as_deref()).await?;
    let interrupted = volt::signal::ctrl_c();
    notes::serve(listener, pool, async move { drop(interrupted.await) }).await;
    Ok(())
}

async fn tried() -> Outcome {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let client = Client::new(listener.local_addr()?);
    let serving = notes::serve(listener, notes::open(None).await?, std::future::pending());
    let server = volt::spawn(serving);

    println!("{:?}", client.write("milk", "two litres").await?);
    println!("{:?}", client.write("milk", "one litre").await?);
    println!("{:?}", client.list().await?);
    println!("removed: {}", client.remove("milk").await?);

    server.cancel();
    Ok(())
}
