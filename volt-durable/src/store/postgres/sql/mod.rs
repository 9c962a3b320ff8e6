//! The operations of the store, with their SQL.

mod start_sql;
mod family_sql;
mod claim_sql;
mod save_sql;
mod message_sql;
mod list_sql;
mod operator_sql;

pub(super) use claim_sql::{claim, next_wake, release, renew};
pub(super) use list_sql::{list, now, summary};
pub(super) use message_sql::send;
pub(super) use operator_sql::{cancel, delete_ended, retry};
pub(super) use save_sql::{fail, save, save_in};
pub(super) use start_sql::start;
