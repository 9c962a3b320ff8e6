//! gRPC by tonic: a server on volt's sockets, and a client that requests one answer and many.

use std::error::Error;

use ecosystem::echo::{self, Client, Said};
use volt::net::TcpListener;

#[volt::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let serving = volt::spawn(echo::serve(listener, std::future::pending()));

    let client = Client::connect(address).await?;
    let said = Said {
        text: "hello".to_owned(),
        times: 3,
    };
    println!("{:?}", client.once(said.clone()).await?);
    for answer in client.many(said).await? {
        println!("{answer:?}");
    }
    serving.cancel();
    Ok(())
}
