trait Load {
    async fn load(self) -> u8;
}

#[volt::state_machine(explicit)]
impl<T: Iterator> Load for (T, T::Item) {
    async fn load(self) -> u8 {
        1
    }
}

fn main() {
    let _ = (0..3, 4).load();
}
