//! The macro that expands to the tests of the suite.

/// Expands to one `#[test]` function for each function of [`conformance`](crate::conformance).
///
/// The first argument is an expression of the [`Fixture`](crate::conformance::Fixture), the second
/// a function that runs a future to its end.
#[macro_export]
macro_rules! conformance_tests {
    ($fixture:expr, $block_on:expr) => {
        $crate::conformance_tests! { @each $fixture, $block_on,
            start_with_the_same_key_changes_nothing
            start_after_the_end_changes_nothing
            key_belongs_to_its_type
            started_machine_is_listed
            claimed_machine_belongs_to_one_worker
            claims_of_two_workers_are_disjoint
            machine_of_an_unknown_type_is_left
            machine_in_an_unknown_state_is_left
            state_of_another_type_is_unknown
            released_machine_is_claimed_at_once
            ended_machine_is_never_claimed
            expired_lease_allows_the_next_claim
            worker_after_its_claim_changes_nothing
            renewed_lease_prevents_claims
            lost_save_leaves_the_others
            saved_snapshot_is_claimed_after_a_crash
            save_of_a_running_machine_keeps_its_claim
            yielded_machines_are_claimed_in_order
            save_with_a_wrong_number_is_lost
            machine_without_reports_is_parked
            parked_machine_keeps_its_error
            suspects_are_claimed_one_at_a_time
            save_resets_the_attempts
            failed_machine_is_claimed_after_the_delay
            parked_row_is_unchanged
            retry_continues_a_parked_machine
            retry_ends_the_delay_of_a_failure
            message_wakes_the_machine
            message_before_the_wait_is_delivered
            message_id_is_stored_once
            taken_message_stays_taken
            untaken_message_is_delivered_again
            messages_are_delivered_in_order
            message_without_a_receiver_is_refused
            timer_is_never_early
            clock_is_not_before_a_later_claim
            next_wake_is_the_first_timer
            next_wake_includes_leases
            signal_comes_before_the_timer
            cancelled_machine_is_lost
            ended_machine_is_not_cancelled
            list_has_the_selected_rows
            list_by_age_has_unchanged_machines
            pages_have_each_row_once
            summary_counts_the_groups
            unclaimed_machines_are_counted
            save_starts_its_children
            child_with_a_used_key_is_not_started
            outcome_of_a_child_wakes_its_parent
            outcome_before_the_wait_is_delivered
            family_is_saved_in_one_operation
            cancelled_child_is_reported
            parked_child_is_reported
            child_without_attempts_is_reported
            dropped_child_is_cancelled
            child_of_another_parent_is_not_dropped
            cancelled_parent_drops_its_children
            child_ends_after_its_parent
            ended_machines_are_deleted
            limit_bounds_a_deletion
            key_of_a_deleted_machine_is_free
            random_operations_have_the_results_of_the_model
        }
    };
    (@each $fixture:expr, $block_on:expr, $($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                $block_on($crate::conformance::$name(&$fixture));
            }
        )*
    };
}

/// Expands to one `#[test]` function for each test of the transactions of steps.
///
/// The first argument is an expression of the
/// [`TransactionFixture`](crate::conformance::TransactionFixture), the second a function that runs
/// a future to its end.
#[macro_export]
macro_rules! conformance_transaction_tests {
    ($fixture:expr, $block_on:expr) => {
        $crate::conformance_tests! { @each $fixture, $block_on,
            writes_are_committed_with_the_save
            dropped_transaction_is_undone
            writes_after_the_claim_are_undone
            writes_with_a_wrong_number_are_undone
            rolled_back_writes_are_undone
            transaction_without_writes_saves
            commit_takes_and_awaits_messages
        }
    };
}
