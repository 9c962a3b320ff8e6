#[volt::state_machine(explicit)]
async fn each(ids: Vec<u32>, names: &[String]) {
    for id in ids.iter() {
        let id: u32 = *id;
        load(id).await;
    }
    for id in &ids {
        load(*id).await;
    }
    for name in names {
        load(name.len() as u32).await;
    }
}

struct Tree {
    kids: Vec<u32>,
}

#[volt::state_machine(explicit)]
async fn kids<'a>(tree: &'a Tree) {
    for id in &tree.kids {
        load(*id).await;
    }
}

fn main() {
    let _ = each(vec![], &[]);
}

#[volt::state_machine(explicit)]
async fn load(id: u32) -> u32 {
    id
}
