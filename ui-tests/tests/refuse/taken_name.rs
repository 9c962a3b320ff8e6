//! A native machine whose name is taken: that is all that the compiler says.

pub struct Fetch {
    pub url: String,
}

#[volt::state_machine(native)]
pub async fn fetch(turns: u32) -> u32 {
    std::future::ready(turns).await
}

pub struct Conn(pub u32);

/// What a method's machine would be called.
pub enum ConnSize {}

#[volt::state_machine(native)]
impl Conn {
    pub async fn size(self) -> u32 {
        std::future::ready(self.0).await
    }
}

fn main() {
    drop(fetch(1));
}
