//! Copies of a workflow in the tables of engines that store the results of steps.

use postgres::Client;

/// Copies the rows of the only workflow, so that there are `workflows`.
pub(super) fn copy(client: &mut Client, workflows: u64) {
    // The rows are correct. So no trigger has to compare keys.
    let set = client.batch_execute("set session_replication_role = replica");
    set.expect("a superuser");
    for table in ["workflow_status", "operation_outputs"] {
        let (columns, values) = columns(client, table);
        let copy = format!(
            "insert into dbos.{table} ({columns})
            select {values} from dbos.{table} as one, generate_series(2, {workflows}) as number"
        );
        client.batch_execute(&copy).expect("copies");
    }
}

/// Returns the columns of a table, and their values in a copy.
fn columns(client: &mut Client, table: &str) -> (String, String) {
    let columns = "select column_name::text from information_schema.columns
        where table_schema = 'dbos' and table_name = $1 and is_generated = 'NEVER'";
    let rows = client.query(columns, &[&table]).expect("columns");
    let columns: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let values = columns.iter().map(|column| match column.as_str() {
        "workflow_uuid" => "'copy' || number".to_owned(),
        other => format!("one.\"{other}\""),
    });
    let values: Vec<String> = values.collect();
    let columns: Vec<String> = columns
        .iter()
        .map(|column| format!("\"{column}\""))
        .collect();
    (columns.join(", "), values.join(", "))
}
