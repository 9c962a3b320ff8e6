#[volt::state_machine(explicit, derive(Clone, Debug))]
async fn debug() {}

#[volt::state_machine(explicit, derive(Default))]
async fn default() {}

#[volt::state_machine(explicit, derive(Eq))]
async fn eq() {}

#[volt::state_machine(derive(Serialize))]
async fn serialize() {}

#[volt::state_machine(derive(Clone, Deserialize))]
async fn deserialize() {}

#[volt::state_machine(native, derive(Serialize, Deserialize))]
async fn native() {}

fn main() {}
