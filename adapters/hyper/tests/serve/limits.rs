//! Time limits of the server.

use super::*;

/// Runs on a paused clock, so that half a minute takes no time.
fn run_paused<F: Future>(future: F) -> F::Output {
    run(async {
        volt::time::pause();
        future.await
    })
}

#[test]
fn silent_client_is_closed_in_time() {
    run_paused(async {
        let (listener, address) = bind();
        let errors = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&errors);
        let server = volt::spawn(
            serve(listener, service_fn(echo))
                .on_error(move |_, error| heard.lock().unwrap().push(error.to_string()))
                .until(sleep(Duration::from_secs(60)))
                .into_future(),
        );
        let before = volt::time::now();
        let silent = connect(address).await.unwrap();
        let half = connect(address).await.unwrap();
        half.write_all(b"PRI * HT").await.unwrap();
        assert_eq!(rest(&silent).await, "");
        assert_eq!(rest(&half).await, "");
        let took = before.elapsed_on_clock();
        assert!(took >= Duration::from_secs(30), "{took:?}");
        server.await.unwrap();
        assert_eq!(errors.lock().unwrap().len(), 2);
    });
}

#[test]
fn incomplete_head_is_closed_in_time() {
    run_paused(async {
        let (listener, address) = bind();
        volt::spawn(serve(listener, service_fn(echo)).into_future()).detach();
        let stream = connect(address).await.unwrap();
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: a\r\n")
            .await
            .unwrap();
        let before = volt::time::now();
        let answer = rest(&stream).await;
        assert!(answer.is_empty() || answer.contains("408"), "{answer}");
        assert!(before.elapsed_on_clock() >= Duration::from_secs(30));
    });
}

trait OnClock {
    fn elapsed_on_clock(&self) -> Duration;
}

impl OnClock for std::time::Instant {
    fn elapsed_on_clock(&self) -> Duration {
        volt::time::now() - *self
    }
}

/// The heads of one connection share a timer: each has the full limit.
#[test]
fn each_head_of_a_connection_has_the_whole_limit() {
    run_paused(async {
        let (listener, address) = bind();
        let server = serve(listener, service_fn(echo)).protocol(|protocol| {
            protocol
                .http1()
                .header_read_timeout(Duration::from_secs(10));
        });
        volt::spawn(server.into_future()).detach();
        let stream = connect(address).await.unwrap();
        let begun = volt::time::now();
        for _ in 0..3 {
            sleep(Duration::from_secs(8)).await;
            stream
                .write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n")
                .await
                .unwrap();
            let mut answer = [0; 1024];
            assert!(stream.read(&mut answer).await.unwrap() > 0);
        }
        let rest_of_it = rest(&stream).await;
        assert_eq!(rest_of_it, "");
        let passed = volt::time::now() - begun;
        assert_eq!(passed.as_secs(), 3 * 8 + 10);
    });
}

#[test]
fn slow_response_outlives_the_first_byte_timeout() {
    run_paused(async {
        let (listener, address) = bind();
        let slow = service_fn(async |_: Request<Incoming>| {
            sleep(Duration::from_secs(120)).await;
            Ok::<_, Infallible>(Response::new("late".to_owned()))
        });
        volt::spawn(serve(listener, slow).into_future()).detach();
        let stream = connect(address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.0\r\n\r\n").await.unwrap();
        assert!(rest(&stream).await.ends_with("late"));
    });
}
