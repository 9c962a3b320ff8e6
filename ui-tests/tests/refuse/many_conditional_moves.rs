use std::future::{Ready, ready};

#[volt::state_machine(explicit)]
async fn five(which: u8, first: Ready<u8>, parts: [String; 5]) -> u8 {
    let [a, b, c, d, e] = parts;
    let (a, b, c, d, e): (String, String, String, String, String) = (a, b, c, d, e);
    match which {
        0 => drop(a),
        1 => drop(b),
        2 => drop(c),
        3 => drop(d),
        _ => drop(e),
    }
    first.await
}

fn main() {
    let _ = five(1, ready(1), Default::default());
}
