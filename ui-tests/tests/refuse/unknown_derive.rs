#[volt::state_machine(derive(Clone, Debug))]
async fn debug() {}

#[volt::state_machine(derive(Default))]
async fn default() {}

#[volt::state_machine(derive(Eq))]
async fn eq() {}

fn main() {}
