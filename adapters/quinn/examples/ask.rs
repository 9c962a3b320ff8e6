//! A request and its response over QUIC: a server with its own certificate, and a client that
//! trusts it.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use quinn::{ClientConfig, Endpoint, ServerConfig};
use rustls::RootCertStore;
use rustls::pki_types::PrivatePkcs8KeyDer;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The longest question, in bytes.
const LONGEST: usize = 1024;

#[volt::main]
async fn main() -> Outcome<()> {
    let (server_config, client_config) = configurations()?;
    let loopback: SocketAddr = "127.0.0.1:0".parse()?;
    let server = volt_quinn::server(server_config, loopback)?;
    let address = server.local_addr()?;
    let serving = volt::spawn(serve(server));

    let mut client = volt_quinn::client(loopback)?;
    client.set_default_client_config(client_config);
    let answer = ask(&client, address, "what is it called").await?;
    println!("{answer}");
    assert_eq!(answer, "WHAT IS IT CALLED");

    client.wait_idle().await;
    serving.await?
}

/// Answers the questions of one connection, each on a stream of its own, in capital letters.
async fn serve(server: Endpoint) -> Outcome<()> {
    let incoming = server.accept().await.ok_or("the endpoint was closed")?;
    let connection = incoming.await?;
    while let Ok((mut send, mut receive)) = connection.accept_bi().await {
        let question = receive.read_to_end(LONGEST).await?;
        send.write_all(&question.to_ascii_uppercase()).await?;
        send.finish()?;
    }
    Ok(())
}

async fn ask(client: &Endpoint, address: SocketAddr, question: &str) -> Outcome<String> {
    let connection = client.connect(address, "localhost")?.await?;
    let (mut send, mut receive) = connection.open_bi().await?;
    send.write_all(question.as_bytes()).await?;
    send.finish()?;
    let answer = receive.read_to_end(LONGEST).await?;
    connection.close(0_u8.into(), b"thanks");
    Ok(String::from_utf8(answer)?)
}

fn configurations() -> Outcome<(ServerConfig, ClientConfig)> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()])?;
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let certificate = made.cert.der().clone();
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone())?;
    let server = ServerConfig::with_single_cert(vec![certificate], key.into())?;
    let client = ClientConfig::with_root_certificates(Arc::new(roots))?;
    Ok((server, client))
}
