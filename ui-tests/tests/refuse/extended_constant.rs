struct Permit(u32);

impl Drop for Permit {
    fn drop(&mut self) {}
}

impl std::ops::Neg for Permit {
    type Output = Permit;

    fn neg(self) -> Permit {
        self
    }
}

const PERMIT: Permit = Permit(1);

impl Permit {
    const FIRST: Permit = Permit(1);
}

#[volt::state_machine(explicit)]
async fn named() -> u32 {
    let first = &PERMIT;
    let second = Some(&Permit::FIRST);
    let third = &-PERMIT;
    let fourth = &(PERMIT..PERMIT);
    let fifth = &PERMIT.0;
    let sum: u32 = first.0 + second.map_or(0, |it| it.0) + third.0 + fourth.start.0 + fifth;
    pause(&PERMIT).await;
    sum
}

#[volt::state_machine(explicit)]
async fn pause(permit: &Permit) {
    let _ = permit.0;
}

fn main() {
    let _ = named();
}
