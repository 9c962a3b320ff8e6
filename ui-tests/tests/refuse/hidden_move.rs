struct Request(String);

impl Request {
    fn into_body(self) -> String {
        self.0
    }
}

fn request(text: &str) -> Request {
    Request(text.to_owned())
}

#[volt::state_machine(explicit)]
async fn body(request: Box<Request>) -> usize {
    let body: String = request.into_body();
    volt::task::yield_now().await;
    body.len()
}

#[volt::state_machine(explicit)]
async fn untyped(text: &str) -> usize {
    let request = request(text);
    let body: String = request.into_body();
    volt::task::yield_now().await;
    body.len()
}

fn main() {
    drop(body(Box::new(Request(String::new()))));
    drop(untyped(""));
}
