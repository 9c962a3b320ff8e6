//! Names that the expansion makes up: the machine's, the receiver's, hygienic locals and labels.

mod made;

pub(crate) use self::made::{
    RECEIVER, as_if_written, kebab, label, local, machine, own_name, parameter, path_at, receiver,
    run_function, upper_camel, written,
};
