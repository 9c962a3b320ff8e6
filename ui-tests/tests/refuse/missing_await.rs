use std::future::ready;

#[volt::state_machine]
async fn read(n: u32) -> Result<u32, String> {
    Ok(ready(n).await)
}

#[volt::state_machine]
async fn number() -> u32 {
    ready(1).await
}

#[volt::state_machine]
async fn next() -> Result<u32, String> {
    let x = read(1)?;
    Ok(ready(x).await)
}

#[volt::state_machine(native)]
async fn sum() -> u32 {
    ready(()).await;
    number() + 1
}

struct Door;

#[volt::state_machine]
impl Door {
    async fn open(&self) -> Result<u32, String> {
        Ok(ready(1).await)
    }

    async fn pass(&self) -> Result<u32, String> {
        let x = self.open()?;
        Ok(ready(x).await)
    }
}

fn main() {
    let _ = next();
    let _ = sum();
}
