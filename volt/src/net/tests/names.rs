//! Names of hosts, on whole runtimes.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::mpsc::channel;

use futures_lite::future::{poll_once, try_zip};

use crate::net::addr::{AddressQuery, ToQuery};
use crate::net::{TcpListener, connect, lookup_host};
use crate::runtime::{Builder, spawn_blocking};

fn run<F: Future>(future: F) -> F::Output {
    let runtime = Builder::new().worker_threads(1).build();
    runtime.expect("a runtime").block_on(future)
}

#[test]
fn addresses_need_no_lookup_and_names_do() {
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 80));
    let known = |query| matches!(query, AddressQuery::Known(addresses) if addresses == [here]);
    assert!(known(here.to_query()));
    assert!(known("127.0.0.1:80".to_query()));
    assert!(known("127.0.0.1:80".to_owned().to_query()));
    assert!(known(("127.0.0.1", 80).to_query()));
    assert!(known(("127.0.0.1".to_owned(), 80).to_query()));
    assert!(known((IpAddr::V4(Ipv4Addr::LOCALHOST), 80).to_query()));
    assert!(known([here].to_query()));
    assert!(known(vec![here].to_query()));
    assert!(matches!("localhost:80".to_query(), AddressQuery::Text(_)));
    assert!(matches!(
        ("localhost", 80).to_query(),
        AddressQuery::Host(_, 80)
    ));
}

#[test]
fn lookup_of_an_address_is_ready_at_once() {
    let answer = futures_lite::future::block_on(poll_once(lookup_host("127.0.0.1:1")));
    let answer = answer.expect("no runtime").expect("an address");
    assert_eq!(answer, [SocketAddr::from((Ipv4Addr::LOCALHOST, 1))]);
}

#[test]
fn lookup_runs_on_a_blocking_thread() {
    let runtime = Builder::new()
        .worker_threads(1)
        .max_blocking_threads(1)
        .build();
    runtime.expect("a runtime").block_on(async {
        // A job occupies the only blocking thread.
        let (leave, left) = channel::<()>();
        let job = spawn_blocking(move || left.recv());
        let mut lookup = lookup_host(("localhost", 80));
        assert!(
            poll_once(&mut lookup).await.is_none(),
            "the lookup blocked this thread"
        );
        drop(leave);
        let found = lookup.await.expect("`localhost` has an address");
        assert!(job.await.expect("the job was released").is_err());
        assert!(!found.is_empty() && found.iter().all(|address| address.ip().is_loopback()));
    });
}

#[test]
fn lookup_error_names_the_failed_operation() {
    run(async {
        let error = connect("no-such-host.invalid:80").await;
        let error = error.expect_err("the host does not exist");
        assert!(error.to_string().contains("find the address"), "{error}");
        let error = connect("no port").await.expect_err("no port");
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    });
}

#[test]
fn connect_by_name_finds_the_listener() {
    run(async {
        let listener = TcpListener::bind(("localhost", 0)).expect("loopback has a port");
        let port = listener.local_addr().expect("an address").port();
        let connected = try_zip(connect(format!("localhost:{port}")), listener.accept());
        connected.await.expect("loopback connects");
    });
}

#[test]
fn lookup_error_reports_runtime_shutdown() {
    let runtime = Builder::new().worker_threads(1).max_blocking_threads(1);
    let runtime = runtime.build().expect("a runtime");
    let (leave, left) = channel::<()>();
    let (begins, begun) = channel();
    let job = runtime.spawn_blocking(move || {
        begins.send(()).expect("received");
        left.recv()
    });
    begun.recv().expect("a begun lookup");
    let mut lookup = lookup_host("localhost:80");
    assert!(runtime.block_on(poll_once(&mut lookup)).is_none());
    runtime.shutdown_background();
    let error = futures_lite::future::block_on(lookup).expect_err("a cancelled lookup");
    let message = error.to_string();
    assert!(
        message.contains("runtime") && message.contains("shut down"),
        "{message}"
    );
    drop((leave, job));
}
