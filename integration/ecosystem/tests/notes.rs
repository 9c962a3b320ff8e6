//! The service of notes, over loopback.

mod support;

use ecosystem::notes::{self, Client, Note};
use volt::net::TcpListener;

use support::in_time;

fn run<F: Future>(future: F) -> F::Output {
    let runtime = volt::Runtime::builder().tokio_context().build().unwrap();
    runtime.block_on(in_time(future))
}

fn note(name: &str, text: &str, revision: i64) -> Note {
    Note {
        name: name.to_owned(),
        text: text.to_owned(),
        revision,
    }
}

#[test]
fn note_is_written_read_and_removed() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = Client::new(listener.local_addr().unwrap());
        let pool = notes::open(None).await.unwrap();
        let (end, ended) = async_channel::bounded::<()>(1);
        let serving = volt::spawn(notes::serve(listener, pool, async move {
            let _ = ended.recv().await;
        }));

        assert_eq!(client.read("milk").await.unwrap(), None);
        assert_eq!(
            client.write("milk", "two").await.unwrap(),
            note("milk", "two", 1)
        );
        assert_eq!(
            client.write("milk", "one").await.unwrap(),
            note("milk", "one", 2)
        );
        assert_eq!(
            client.read("milk").await.unwrap(),
            Some(note("milk", "one", 2))
        );
        assert!(client.write("long", "x".repeat(20_000)).await.is_err());
        assert!(client.remove("milk").await.unwrap());
        assert!(!client.remove("milk").await.unwrap());
        assert_eq!(client.list().await.unwrap(), []);
        drop(end);
        serving.await.unwrap();
    });
}

#[test]
fn writers_at_once_lose_nothing_and_the_file_keeps_it() {
    let path = std::env::temp_dir().join(format!("volt-notes-{}", std::process::id()));
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = Client::new(listener.local_addr().unwrap());
        let pool = notes::open(Some(&path)).await.unwrap();
        let (end, ended) = async_channel::bounded::<()>(1);
        let serving = volt::spawn(notes::serve(listener, pool, async move {
            let _ = ended.recv().await;
        }));
        let writers = (0..8).map(|n| {
            let client = client.clone();
            volt::spawn(async move {
                for round in 0..10 {
                    let text = format!("{n}.{round}").repeat(100);
                    client.write(&format!("note{n}"), text).await.unwrap();
                    client.write("common", "all").await.unwrap();
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap();
        }
        drop(end);
        serving.await.unwrap();
    });
    let listed = run(async {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = Client::new(listener.local_addr().unwrap());
        let pool = notes::open(Some(&path)).await.unwrap();
        let serving = volt::spawn(notes::serve(listener, pool, std::future::pending()));
        let listed = client.list().await.unwrap();
        serving.cancel();
        listed
    });
    std::fs::remove_file(&path).unwrap();
    assert_eq!(listed[0], note("common", "all", 80));
    for n in 0..8 {
        let name = format!("note{n}");
        assert_eq!(
            listed[n + 1],
            note(&name, &format!("{n}.9").repeat(100), 10)
        );
    }
    assert_eq!(listed.len(), 9);
}
