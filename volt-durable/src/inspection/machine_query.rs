//! The parameters of requests for machines.

use std::time::Duration;

use volt::runtime::LibraryRequest;

use crate::machine_id::MachineId;
use crate::store::{Filter, Status};

/// The largest number of machines in one response.
const MOST: usize = 500;

/// Returns the filter of a request, or `None` if a parameter is invalid. An empty parameter selects
/// all machines.
pub(super) fn filter_of(request: &LibraryRequest) -> Option<Filter> {
    let text = |key| request.parameter(key).filter(|text| !text.is_empty());
    let owned = |key| text(key).map(str::to_owned);
    let number = |key| match text(key) {
        Some(text) => text.parse().ok().map(Some),
        None => Some(None),
    };
    let limit: Option<i64> = number("limit")?;
    let limit = limit.map_or(Some(50), |limit| usize::try_from(limit).ok())?;
    let seconds = |key| match number(key)? {
        Some(seconds) => Some(Some(Duration::from_secs(u64::try_from(seconds).ok()?))),
        None => Some(None),
    };
    Some(Filter {
        machine_type: owned("type"),
        key: owned("key"),
        status: match text("status") {
            Some(name) => Some(status_of(name)?),
            None => None,
        },
        state: owned("state"),
        unchanged_for: seconds("unchanged_s")?,
        unclaimed_for: seconds("unclaimed_s")?,
        after: number("after")?.map(MachineId),
        limit: limit.min(MOST),
    })
}

fn status_of(name: &str) -> Option<Status> {
    let all = [
        ("runnable", Status::Runnable),
        ("waiting", Status::Waiting),
        ("parked", Status::Parked),
        ("done", Status::Done),
        ("cancelled", Status::Cancelled),
    ];
    let found = all.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, status)| status)
}

/// Returns the machine that a request names.
pub(super) fn id_of(request: &LibraryRequest) -> Option<MachineId> {
    request.parameter("id")?.parse().ok().map(MachineId)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use volt::runtime::LibraryRequest;

    use super::{filter_of, id_of};
    use crate::machine_id::MachineId;
    use crate::store::{Filter, Status};

    fn request(parameters: &[(&str, &str)]) -> LibraryRequest {
        let parameters = parameters.iter();
        let parameters = parameters.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        LibraryRequest::new("list.json", parameters.collect(), false)
    }

    #[test]
    fn parameters_are_a_filter() {
        let empty = request(&[("type", ""), ("status", ""), ("after", "")]);
        let all = Filter {
            limit: 50,
            ..Filter::default()
        };
        assert_eq!(filter_of(&empty), Some(all));
        let some = request(&[
            ("status", "parked"),
            ("unchanged_s", "60"),
            ("unclaimed_s", "9"),
            ("after", "7"),
            ("limit", "9999"),
        ]);
        let expected = Filter {
            status: Some(Status::Parked),
            unchanged_for: Some(Duration::from_secs(60)),
            unclaimed_for: Some(Duration::from_secs(9)),
            after: Some(MachineId(7)),
            limit: 500,
            ..Filter::default()
        };
        assert_eq!(filter_of(&some), Some(expected));
    }

    #[test]
    fn wrong_parameters_are_refused() {
        for (key, value) in [
            ("status", "lost"),
            ("after", "x"),
            ("limit", "-1"),
            ("unchanged_s", "-1"),
            ("unclaimed_s", "-1"),
        ] {
            assert_eq!(filter_of(&request(&[(key, value)])), None, "{key}");
        }
        assert_eq!(id_of(&request(&[("id", "7")])), Some(MachineId(7)));
        assert_eq!(id_of(&request(&[("id", "")])), None);
    }
}
