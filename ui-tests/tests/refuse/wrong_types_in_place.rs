//! A wrong type is shown where it stands, also where the macro asks whether a method takes its local.

#[volt::state_machine]
async fn load(text: String) -> u32 {
    std::future::ready(()).await;
    let len: u32 = text.len();
    std::future::ready(()).await;
    len
}
#[volt::state_machine]
async fn named(text: String) -> String {
    std::future::ready(()).await;
    text + "x";
}
fn main() {}
