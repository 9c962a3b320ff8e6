struct Unit;

impl Drop for Unit {
    fn drop(&mut self) {}
}

fn make() -> Unit {
    Unit
}

#[volt::state_machine(explicit)]
async fn wait() {
    let Unit = make();
    tick().await;
}

#[volt::state_machine(explicit)]
async fn renamed(unit: Unit) {
    let New = unit;
    tick().await;
}

#[volt::state_machine(explicit)]
async fn tick() {}

fn main() {
    let _ = (wait(), renamed(Unit));
}
