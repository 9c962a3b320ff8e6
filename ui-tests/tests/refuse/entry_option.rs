#[volt::main(threads = 3)]
async fn unknown() {}

#[volt::main(flavor = "threads")]
async fn flavor() {}

#[volt::main(workers = 0)]
async fn no_workers() {}

#[volt::main(flavor = "current_thread", workers = 2)]
async fn both() {}

#[volt::main(start_paused = true, start_paused = true)]
async fn twice() {}

#[volt::main(orphans = "wake")]
async fn policy() {}

#[volt::main(workers)]
async fn without_value() {}

fn main() {
    unknown();
    flavor();
    no_workers();
    both();
    twice();
    policy();
    without_value();
}
