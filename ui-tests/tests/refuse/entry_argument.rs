#[volt::main]
async fn start(name: String) {
    drop(name);
}

#[volt::main]
async fn generic<T>() {}

fn main() {
    start();
    generic();
}
