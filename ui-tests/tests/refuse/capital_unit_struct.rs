struct Unit;

impl Drop for Unit {
    fn drop(&mut self) {}
}

#[volt::state_machine]
async fn wait(unit: Unit) {
    let Unit = unit;
    tick().await;
}

#[volt::state_machine]
async fn tick() {}

fn main() {
    let _ = wait(Unit);
}
