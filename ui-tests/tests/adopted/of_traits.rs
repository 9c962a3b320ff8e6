//! Methods of traits: of types with parameters in one module, and of traits that are not imported.

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

mod api {
    pub(super) trait Step<T> {
        fn step(&mut self) -> impl Future<Output = T>;
        fn twice(&mut self) -> impl Future<Output = (T, T)>;
    }
}

struct Clock(u32);

// Within the `impl` the trait is in scope.
#[volt::state_machine]
impl api::Step<u32> for Clock {
    async fn step(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }

    async fn twice(&mut self) -> (u32, u32) {
        crate::turn().await;
        let first = self.step().await;
        (first, self.step().await)
    }
}

struct Repeated<T>(T);

#[volt::state_machine]
impl<T: Clone> api::Step<T> for Repeated<T> {
    async fn step(&mut self) -> T {
        self.0.clone()
    }

    async fn twice(&mut self) -> (T, T) {
        crate::turn().await;
        (self.step().await, self.step().await)
    }
}

#[test]
fn trait_is_in_scope_in_its_own_methods() {
    use api::Step;
    assert_eq!(run(Clock(3).twice()), (4, 5));
    assert_eq!(run(Repeated('a').twice()), ('a', 'a'));
}

trait Show {
    async fn show(&self, value: &impl std::fmt::Debug, push: &mut impl FnMut(usize)) -> String;
}

#[volt::state_machine]
impl Show for Clock {
    async fn show(&self, value: &impl std::fmt::Debug, push: &mut impl FnMut(usize)) -> String {
        crate::turn().await;
        let shown = format!("{value:?} at {}", self.0);
        push(shown.len());
        shown
    }
}

#[test]
fn trait_method_may_borrow_impl_trait_argument() {
    let mut pushed = 0;
    assert_eq!(
        run(Clock(3).show(&Some(1), &mut |length| pushed = length)),
        "Some(1) at 3"
    );
    assert_eq!(pushed, 12);
}
