//! `FilterArgs`: the options that select machines.

use std::time::Duration;

use clap::{Args, ValueEnum};
use volt_durable::store::{Filter, Status};

use super::age::parse_age;

/// The options that select machines.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct FilterArgs {
    /// Only machines of this type
    #[arg(long = "type", value_name = "TYPE")]
    machine_type: Option<String>,
    /// Only machines with this key
    #[arg(long)]
    key: Option<String>,
    /// Only machines in this state
    #[arg(long)]
    state: Option<String>,
    /// Only machines that have not changed for this time, such as 90s, 15m, 2h or 7d
    #[arg(long, value_name = "TIME", value_parser = parse_age)]
    unchanged_for: Option<Duration>,
    /// Only machines that could run, but no worker has claimed for this time
    #[arg(long, value_name = "TIME", value_parser = parse_age)]
    unclaimed_for: Option<Duration>,
}

/// The status of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StatusArg {
    Runnable,
    Waiting,
    Parked,
    Done,
    Cancelled,
}

impl StatusArg {
    pub(super) fn status(self) -> Status {
        match self {
            Self::Runnable => Status::Runnable,
            Self::Waiting => Status::Waiting,
            Self::Parked => Status::Parked,
            Self::Done => Status::Done,
            Self::Cancelled => Status::Cancelled,
        }
    }

    /// Returns the name of a status.
    pub(super) fn name_of(status: Status) -> &'static str {
        match status {
            Status::Runnable => "runnable",
            Status::Waiting => "waiting",
            Status::Parked => "parked",
            Status::Done => "done",
            Status::Cancelled => "cancelled",
        }
    }
}

impl FilterArgs {
    pub(super) fn filter(&self, status: Option<Status>) -> Filter {
        Filter {
            machine_type: self.machine_type.clone(),
            key: self.key.clone(),
            status,
            state: self.state.clone(),
            unchanged_for: self.unchanged_for,
            unclaimed_for: self.unclaimed_for,
            ..Filter::default()
        }
    }

    /// Returns `true` if an option is given.
    pub(super) fn is_given(&self) -> bool {
        self.filter(None) != Filter::default()
    }
}
