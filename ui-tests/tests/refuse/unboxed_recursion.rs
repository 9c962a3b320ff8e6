//! A function that awaits itself: one error in either layout, which says where the box goes.

#[volt::state_machine]
async fn walk(depth: u32) -> u32 {
    match depth {
        0 => 0,
        _ => walk(depth - 1).await + 1,
    }
}

#[volt::state_machine(native)]
async fn walk_native<T: Clone>(depth: T) -> u32 {
    walk_native(depth.clone()).await + 1
}

struct Tree(Vec<Tree>);

#[volt::state_machine]
impl Tree {
    async fn depth(&self) -> usize {
        let here = self.0.len();
        let below: usize = self.depth().await;
        here.max(Self::depth(&self.0[0]).await + below)
    }
}

fn main() {}
