//! The gRPC service, over loopback.

mod support;

use ecosystem::echo::{self, Client, Said};
use tonic::Code;
use volt::net::TcpListener;

use support::in_time;

fn said(text: &str, times: u32) -> Said {
    Said {
        text: text.to_owned(),
        times,
    }
}

fn run<F: Future>(future: F) -> F::Output {
    volt::block_on(in_time(future))
}

#[test]
fn calls_at_once_get_their_own_answers() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (end, ended) = async_channel::bounded::<()>(1);
        let serving = volt::spawn(echo::serve(listener, async move {
            let _ = ended.recv().await;
        }));
        let client = Client::connect(address).await.unwrap();
        let calls = (0..32_u32).map(|n| {
            let client = client.clone();
            volt::spawn(async move {
                let text = format!("{n} ").repeat(n as usize * 1000);
                let once = said(&text, n);
                assert!(client.once(once.clone()).await.unwrap() == once);
                let many = client.many(said("more", n)).await.unwrap();
                let expected: Vec<_> = (0..n).map(|number| said("more", number)).collect();
                assert_eq!(many, expected);
            })
        });
        for call in calls.collect::<Vec<_>>() {
            call.await.unwrap();
        }
        drop((client, end));
        serving.await.unwrap();
    });
}

#[test]
fn refusal_comes_with_its_code() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let serving = volt::spawn(echo::serve(listener, std::future::pending()));
        let client = Client::connect(address).await.unwrap();
        let refused = client.many(said("x", 20_000)).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused}");
        serving.cancel();
    });
}

#[test]
fn call_of_a_stopped_server_fails() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let serving = volt::spawn(echo::serve(listener, std::future::pending()));
        let client = Client::connect(address).await.unwrap();
        client.once(said("a", 1)).await.unwrap();
        serving.cancel();
        drop(serving.await);
        let refused = client.once(said("b", 1)).await.unwrap_err();
        assert!(
            matches!(
                refused.code(),
                Code::Unavailable | Code::Cancelled | Code::Unknown
            ),
            "{refused}"
        );
    });
}
