struct Request(String);

impl Request {
    fn into_body(self) -> String {
        self.0
    }
}

type Checked = Result<Request, String>;

#[volt::state_machine]
async fn body(request: Request) -> usize {
    let body: String = request.into_body();
    volt::task::yield_now().await;
    body.len()
}

#[volt::state_machine]
async fn check(checked: Checked) -> Result<usize, usize> {
    let request: Request = checked.map_err(|error| error.len())?;
    volt::task::yield_now().await;
    Ok(request.0.len())
}

fn main() {
    drop(body(Request(String::new())));
    drop(check(Err(String::new())));
}
