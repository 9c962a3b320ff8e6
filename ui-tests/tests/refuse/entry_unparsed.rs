//! A body that does not parse has the compiler's error once, and `main` stays a `main`.

#[volt::main]
async fn main() {
    let pages = ;
}

#[volt::test]
async fn test() {
    let pages = 3 4;
}
