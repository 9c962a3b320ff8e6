//! Connections of a server that shuts down.

use super::*;

#[test]
fn shutdown_waits_for_the_current_response() {
    run(async {
        let (listener, address) = bind();
        let slow = service_fn(async |_: Request<Incoming>| {
            sleep(Duration::from_millis(200)).await;
            Ok::<_, Infallible>(Response::new("done".to_owned()))
        });
        let server = volt::spawn(
            serve(listener, slow)
                .until(sleep(Duration::from_millis(50)))
                .into_future(),
        );
        let busy = connect(address).await.unwrap();
        busy.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n")
            .await
            .unwrap();
        let idle = connect(address).await.unwrap();
        // Both ends are seen only if the server closes the connections.
        assert!(rest(&busy).await.ends_with("done"));
        assert_eq!(rest(&idle).await, "");
        server.await.unwrap();
        assert!(connect(address).await.is_err());
    });
}

#[test]
fn expired_grace_cancels_remaining_connections() {
    struct SetOnDrop(Arc<Mutex<bool>>);
    impl Drop for SetOnDrop {
        fn drop(&mut self) {
            *self.0.lock().unwrap() = true;
        }
    }

    run(async {
        let (listener, address) = bind();
        let dropped = Arc::new(Mutex::new(false));
        let is_dropped = Arc::clone(&dropped);
        let endless = service_fn(move |_: Request<Incoming>| {
            let guard = SetOnDrop(Arc::clone(&is_dropped));
            async move {
                let _guard = guard;
                std::future::pending::<Result<Response<String>, Infallible>>().await
            }
        });
        let server = volt::spawn(
            serve(listener, endless)
                .until(sleep(Duration::from_millis(100)))
                .grace(Duration::from_millis(50))
                .into_future(),
        );
        let stream = connect(address).await.unwrap();
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n")
            .await
            .unwrap();
        server.await.unwrap();
        assert!(*dropped.lock().unwrap());
        assert_eq!(rest(&stream).await, "");
    });
}

/// Connections that have not been polled, idle connections, and connections that have served a
/// request.
#[test]
fn end_reaches_connections_in_every_state() {
    run(async {
        let (listener, address) = bind();
        let (end, ended) = tokio::sync::oneshot::channel();
        let server = serve(listener, service_fn(echo)).until(ended);
        let server = volt::spawn(server.into_future());
        let mut streams = Vec::new();
        for n in 0..40 {
            let stream = connect(address).await.unwrap();
            if n % 2 == 0 {
                stream
                    .write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n")
                    .await
                    .unwrap();
                let mut answer = [0; 1024];
                assert!(stream.read(&mut answer).await.unwrap() > 0);
            }
            // The place of one that has gone is another's.
            if n % 3 == 0 {
                drop(stream);
            } else {
                streams.push(stream);
            }
        }
        end.send(()).unwrap();
        for stream in &streams {
            assert_eq!(rest(stream).await, "");
        }
        server.await.unwrap();
    });
}
