//! Lists of rows in SQLite.

use rusqlite::{Connection, params};

use super::sqlite_columns::{ROW_COLUMNS, read_row};
use crate::store::row::{Filter, Row};

/// Returns the rows that a filter selects.
pub(super) fn list(connection: &Connection, filter: &Filter) -> rusqlite::Result<Vec<Row>> {
    let mut select = connection.prepare_cached(&format!(
        "select {ROW_COLUMNS} from durable_machine
        where (?1 is null or type = ?1) and (?2 is null or key = ?2)
            and (?3 is null or status = ?3) and (?4 is null or state = ?4)
            and (?5 is null or id > ?5)
        order by id limit ?6"
    ))?;
    let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
    let rows = select.query_map(
        params![
            filter.machine_type,
            filter.key,
            filter.status,
            filter.state,
            filter.after,
            limit,
        ],
        read_row,
    )?;
    rows.collect()
}
