#[volt::state_machine(explicit, derive(Clone, Debug))]
async fn debug() {}

#[volt::state_machine(explicit, derive(Default))]
async fn default() {}

#[volt::state_machine(explicit, derive(Eq))]
async fn eq() {}

fn main() {}
