//! `advance`: the function of a machine that runs, drops, inspects and stores it.

mod box_content;
mod inspection;
mod stored_form;
mod snapshot;
mod older_snapshots;
mod advance_fn;
