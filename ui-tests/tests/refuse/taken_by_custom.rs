struct Request(String);

impl Request {
    fn into_body(&self) -> &str {
        &self.0
    }
}

#[volt::state_machine(explicit)]
async fn body(request: Request) -> usize {
    let length: usize = request.into_body().len();
    volt::task::yield_now().await;
    length
}

fn main() {
    drop(body(Request(String::new())));
}
