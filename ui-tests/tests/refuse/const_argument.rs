struct Reader;

#[volt::state_machine(explicit)]
impl Reader {
    async fn read<const N: usize>(&self) -> [u8; N] {
        [0; N]
    }

    async fn whole(&self) -> u8 {
        let four: [u8; 4] = self.read::<4>().await;
        let two: [u8; 2] = Self::read::<2>(self).await;
        four[0] + two[0]
    }
}

fn main() {
    let _ = Reader.whole();
}
