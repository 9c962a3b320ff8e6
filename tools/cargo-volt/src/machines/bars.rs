//! The bytes of a state as segments of a bar.

use crate::macro_reports::sizes::{Bytes, LocalSize, MachineSizes, StateSizes};

/// The kind of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SegmentKind {
    Local,
    Future,
}

/// A value of a state, as a part of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) kind: SegmentKind,
    /// The name of the local, or of the awaited future.
    pub(super) label: String,
    pub(super) offset: usize,
    pub(super) size: usize,
}

/// Returns the segments of a state, sorted by their offset. A value of unknown size or offset has
/// no segment.
pub(super) fn segments(state: &StateSizes) -> Vec<Segment> {
    let segment = |kind, label: &str, bytes: Bytes| {
        Some(Segment {
            kind,
            label: label.to_owned(),
            offset: bytes.offset?,
            size: bytes.size.filter(|size| *size > 0)?,
        })
    };
    let locals = state.locals.iter();
    let locals = locals.filter_map(|local| segment(SegmentKind::Local, &typed(local), local.bytes));
    let future = segment(SegmentKind::Future, &state.name, state.future);
    let mut segments: Vec<_> = locals.chain(future).collect();
    segments.sort_by_key(|segment| segment.offset);
    segments
}

/// Returns the name of a local with its type, if the source has one.
fn typed(local: &LocalSize) -> String {
    if local.ty == "_" {
        return local.name.clone();
    }
    format!("{}: {}", local.name, local.ty)
}

/// Returns the values of a state as text, the largest first.
pub(super) fn contents(state: &StateSizes) -> String {
    let locals = state.locals.iter();
    let mut values: Vec<(Option<usize>, String)> = locals
        .map(|local| (local.bytes.size, typed(local)))
        .collect();
    if state.future.size.is_some() {
        values.push((state.future.size, "the awaited future".to_owned()));
    }
    values.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    let texts = values.into_iter().map(|(size, value)| match size {
        Some(size) => format!("{size} {value}"),
        None => value,
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// Returns the difference from the compiler's future in percent of it.
pub(super) fn difference(machine: &MachineSizes) -> Option<i64> {
    let compiler = i64::try_from(machine.compiler_size?).ok()?;
    let own = i64::try_from(machine.size).ok()?;
    (compiler > 0).then(|| (own - compiler) * 100 / compiler)
}

#[cfg(test)]
mod tests {
    use super::{SegmentKind, contents, segments};
    use crate::macro_reports::sizes::{Bytes, LocalSize, StateSizes};

    fn bytes(size: usize, offset: usize) -> Bytes {
        Bytes {
            size: Some(size),
            offset: Some(offset),
        }
    }

    #[test]
    fn segments_are_sorted_and_contents_by_size() {
        let local = |name: &str, bytes| LocalSize {
            name: name.to_owned(),
            ty: if name == "c" { "_" } else { "T" }.to_owned(),
            bytes,
        };
        let state = StateSizes {
            name: "await read".to_owned(),
            line: 3,
            future: bytes(8, 0),
            locals: vec![
                local("a", bytes(4, 16)),
                local("b", bytes(2, 12)),
                local("c", Bytes::default()),
            ],
        };
        let found: Vec<_> = segments(&state)
            .into_iter()
            .map(|segment| (segment.kind, segment.offset))
            .collect();
        let expected = [
            (SegmentKind::Future, 0),
            (SegmentKind::Local, 12),
            (SegmentKind::Local, 16),
        ];
        assert_eq!(found, expected);
        assert_eq!(contents(&state), "8 the awaited future, 4 a: T, 2 b: T, c");
    }
}
