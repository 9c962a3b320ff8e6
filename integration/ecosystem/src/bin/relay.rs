//! WebSockets over TLS: a server that passes the messages of each client to all others, and two
//! clients, without tokio.

use std::error::Error;

use async_tungstenite::tungstenite::Message;
use ecosystem::relay;
use futures_lite::StreamExt;
use volt::net::TcpListener;

#[volt::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let (server, client) = relay::configurations()?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let serving = volt::spawn(relay::serve(listener, server, std::future::pending()));

    let mut ann = relay::join(address, client.clone()).await?;
    let mut bob = relay::join(address, client).await?;
    // A client whose message arrived is connected.
    bob.send(Message::text("bob is here")).await?;
    println!("ann hears: {}", ann.next().await.ok_or("closed")??);
    ann.send(Message::text("hello bob")).await?;
    println!("bob hears: {}", bob.next().await.ok_or("closed")??);
    ann.close(None).await?;
    bob.close(None).await?;
    serving.cancel();
    Ok(())
}
