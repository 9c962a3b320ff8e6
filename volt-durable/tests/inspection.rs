//! The machines of a store on volt's inspection server.

mod driving;

use std::io::{Read, Write};
use std::net::TcpStream;

use driving::{row, run_quiet, start};
use futures_lite::future::block_on;
use serde_json::{Value, json};
use volt::runtime::{InspectAddress, InspectEndpoint, Runtime};
use volt_durable::store::Status;
use volt_durable::{Secret, show_machines, signal};

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn refuse(name: String, card: Secret<String>) -> String {
    #[state(WaitingForNumber)]
    let number: u64 = signal("number").await;
    format!("{name} {number} {card:?}")
}

fn serve(address: InspectAddress) -> (Runtime, std::net::SocketAddr) {
    let runtime = Runtime::builder().worker_threads(1).inspect(address);
    let runtime = runtime.build().expect("a runtime");
    match runtime.handle().inspect_endpoint() {
        Some(InspectEndpoint::Tcp(address)) => (runtime, address),
        other => panic!("{other:?}"),
    }
}

fn request(address: std::net::SocketAddr, method: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let head = "Host: localhost\r\nAuthorization: Bearer secret-of-the-test\r\n\r\n";
    let request = format!("{method} /durable/{path} HTTP/1.1\r\n{head}");
    stream.write_all(request.as_bytes()).expect("a request");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    assert!(reply.starts_with("HTTP/1.1 200 "), "{path}: {reply}");
    let (_, body) = reply.split_once("\r\n\r\n").expect("a body");
    body.to_owned()
}

fn json_of(address: std::net::SocketAddr, method: &str, path: &str) -> Value {
    serde_json::from_str(&request(address, method, path)).expect("JSON")
}

#[test]
fn machines_are_listed_and_repaired() {
    block_on(async {
        let machine = refuse("Ada".into(), Secret::new("4711".into()));
        let (store, client) = start(machine).await;
        client
            .send::<Refuse>("a", "number", "1", &"no number")
            .await
            .expect("a message");
        run_quiet::<Refuse>(&store).await;
        let parked = row::<Refuse>(&store, "a").await;
        assert_eq!(parked.status, Status::Parked, "{parked:#?}");
        show_machines(client.clone());
        let (_first, address) = serve(InspectAddress::from(0).token("secret-of-the-test"));
        let (_second, shown) = serve(
            InspectAddress::from(0)
                .token("secret-of-the-test")
                .show_values(true),
        );

        assert!(request(address, "GET", "").contains("Durable machines"));
        let list = json_of(address, "GET", "list.json?status=parked");
        assert_eq!(list["rows"][0]["key"], "a");
        assert!(list["rows"][0]["error"].is_string(), "{list}");
        assert!(!list.to_string().contains("Ada"), "{list}");
        let list = json_of(shown, "GET", "list.json?type=Refuse");
        let values = &list["rows"][0]["values"];
        assert_eq!(
            (&values["name"], &values["card"]),
            (&json!("Ada"), &json!("(secret)"))
        );
        assert!(!list.to_string().contains("4711"), "{list}");
        let other = json_of(address, "GET", "list.json?type=Other");
        assert_eq!(other["rows"], json!([]));
        let groups = json_of(address, "GET", "groups.json");
        assert_eq!(groups["groups"][0]["failed"], 1);

        let path = |action: &str| format!("{action}?id={}", parked.id);
        let show = json_of(shown, "GET", &path("show.json"));
        assert_eq!(show["values"]["name"], "Ada");
        let act = |action| json_of(address, "POST", &path(action))["result"].clone();
        assert_eq!(act("resume"), "runnable");
        assert_eq!(act("resume"), "not changed: it is not parked");
        assert_eq!(act("retry"), "not changed: it has not failed");
        assert_eq!(row::<Refuse>(&store, "a").await.status, Status::Runnable);
        let requested = act("cancel");
        assert!(
            requested
                .as_str()
                .is_some_and(|text| text.contains("`cancellable`"))
        );
        assert_eq!(act("end"), "cancelled, without running its code");
        assert_eq!(act("end"), "not changed: it has ended");
        assert_eq!(row::<Refuse>(&store, "a").await.status, Status::Cancelled);
    });
}
