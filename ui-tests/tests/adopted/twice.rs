//! Types with parameters that have one trait in one module.

use crate::run;

trait Read {
    fn read(&mut self) -> impl Future<Output = usize>;
}

struct Counted<R>(R, usize);
struct Doubled<R>(R);
struct Three;

impl Read for Three {
    async fn read(&mut self) -> usize {
        3
    }
}

#[volt::state_machine]
impl<R: Read> Read for Counted<R> {
    async fn read(&mut self) -> usize {
        let read = self.0.read().await;
        self.1 += read;
        self.1
    }
}

#[volt::state_machine]
impl<R: Read> Read for Doubled<R> {
    async fn read(&mut self) -> usize {
        let read = &self.0.read().await;
        read * 2
    }
}

#[test]
fn methods_of_one_name_stand_in_one_module() {
    let mut nested = Doubled(Counted(Three, 1));
    assert_eq!(run(nested.read()), 8);
    assert_eq!(run(nested.read()), 14);
}
