//! A native machine whose name is taken by an item that a macro declares: the compiler reports
//! nothing else.

macro_rules! declare {
    () => {
        pub struct Fetch {
            pub url: String,
        }

        /// The name of a method's machine.
        pub enum ConnSize {}
    };
}

declare!();

#[volt::state_machine(native)]
pub async fn fetch(turns: u32) -> u32 {
    std::future::ready(turns).await
}

pub struct Conn(pub u32);

#[volt::state_machine(native)]
impl Conn {
    pub async fn size(self) -> u32 {
        std::future::ready(self.0).await
    }
}

fn main() {
    drop(fetch(1));
}
