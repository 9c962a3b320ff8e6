//! Many orders in PostgreSQL.

use crate::many_orders::run_orders_with_crashes;
use crate::server::{new_schema, open, run};

#[test]
fn many_orders_end_once_with_crashes() {
    run(async {
        run_orders_with_crashes(&open(&new_schema()).await).await;
    });
}
