#[volt::state_machine(explicit)]
async fn doubled(count: u32) -> impl Iterator<Item = u32> {
    volt::task::yield_now().await;
    (0..count).map(|number| number * 2)
}

struct Pages(u32);

#[volt::state_machine(explicit)]
impl Pages {
    async fn all(&self) -> Result<impl Iterator<Item = u32>, String> {
        volt::task::yield_now().await;
        Ok(0..self.0)
    }
}

fn main() {
    let _ = async {
        let sum: u32 = doubled(3).await.sum();
        let pages = Pages(sum);
        let all = pages.all().await.unwrap();
        all.count()
    };
}
