//! Sizes of machines, as an HTML page with the layout of each machine as a drawing.
//!
//! A drawing has a row for each state. The horizontal axis is the machine from its first byte to
//! its last, and each stored value covers its bytes.

use std::fmt::Write;

use super::bars::{Segment, SegmentKind, difference, segments};
use super::sizes::CrateSizes;
use crate::macro_reports::sizes::MachineSizes;

/// The width of the names of states, and of the machine, in pixels.
const NAMES: usize = 190;
const WIDTH: usize = 720;
/// The height of a row, and of the bar in it.
const ROW: usize = 24;
const BAR: usize = 18;

const STYLE: &str = "\
:root { color-scheme: light dark; --local: #4c78a8; --future: #e07b39; --free: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 2rem auto; padding: 0 1rem; }
code, svg text { font-family: ui-monospace, monospace; font-size: 12px; }
svg { width: 100%; height: auto; }
svg text { fill: CanvasText; }
svg text.in { fill: #fff; }
rect.free { fill: var(--free); }
rect.local { fill: var(--local); stroke: Canvas; }
rect.future { fill: var(--future); stroke: Canvas; }
line { stroke: #c33; stroke-dasharray: 4 3; }
h2 { font-size: 1.1rem; margin: 2rem 0 0; }
p { margin: 0.2rem 0; }
.key { display: inline-block; width: 1em; height: 1em; vertical-align: -0.15em; }
";

/// Returns the page.
pub(super) fn page(title: &str, sizes: &CrateSizes) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Sizes of {0}</title>\n\
         <style>\n{STYLE}</style>\n<h1>Sizes of {0}</h1>\n\
         <p><span class=\"key\" style=\"background: var(--local)\"></span> local, \
         <span class=\"key\" style=\"background: var(--future)\"></span> awaited future, \
         <span class=\"key\" style=\"background: var(--free)\"></span> free or unknown; \
         the dashed line is the end of the compiler's future.</p>\n",
        escaped(title)
    );
    for machine in &sizes.machines {
        add_machine(&mut page, machine);
    }
    if !sizes.unmeasured.is_empty() {
        page.push_str(
            "<h2>Not measured</h2>\n<p>These functions have type parameters:</p>\n<ul>\n",
        );
        for (file, line, name) in &sizes.unmeasured {
            let (name, file) = (escaped(name), escaped(file));
            write(
                &mut page,
                format_args!("<li><code>{name}</code>, {file}:{line}</li>\n"),
            );
        }
        page.push_str("</ul>\n");
    }
    page + "</html>\n"
}

fn write(page: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = page.write_fmt(text);
}

fn add_machine(page: &mut String, machine: &MachineSizes) {
    let MachineSizes {
        name, size, layout, ..
    } = machine;
    let (name, file) = (escaped(name), escaped(&machine.file));
    write(
        page,
        format_args!(
            "<h2><code>{name}</code>: {size} bytes</h2>\n<p>{layout}, {file}:{}",
            machine.line
        ),
    );
    if let (Some(compiler), Some(difference)) = (machine.compiler_size, difference(machine)) {
        write(
            page,
            format_args!("; the compiler's future takes {compiler} bytes ({difference:+} %)"),
        );
    }
    if let Some((reason, line)) = &machine.reason {
        write(page, format_args!("; {}, line {line}", escaped(reason)));
    }
    page.push_str("</p>\n");
    add_drawing(page, machine);
}

fn add_drawing(page: &mut String, machine: &MachineSizes) {
    let widest = machine.size.max(machine.compiler_size.unwrap_or(0)).max(1);
    let scaled = |bytes: usize| bytes * WIDTH / widest;
    let height = machine.states.len() * ROW + ROW;
    write(
        page,
        format_args!(
            "<svg viewBox=\"0 0 {} {height}\" role=\"img\">\n",
            NAMES + WIDTH + 40
        ),
    );
    for (row, state) in machine.states.iter().enumerate() {
        let top = row * ROW;
        let base = top + BAR - 5;
        let label = escaped(&format!("{}:{}", shortened(&state.name, 22), state.line));
        write(
            page,
            format_args!("<text x=\"0\" y=\"{base}\">{label}</text>\n"),
        );
        write(
            page,
            format_args!(
                "<rect class=\"free\" x=\"{NAMES}\" y=\"{top}\" width=\"{}\" height=\"{BAR}\"/>\n",
                scaled(machine.size)
            ),
        );
        for segment in segments(state) {
            let (left, width) = (NAMES + scaled(segment.offset), scaled(segment.size).max(1));
            add_segment(page, &segment, (left, top, width));
        }
    }
    if let Some(compiler) = machine.compiler_size {
        let left = NAMES + scaled(compiler);
        let bottom = machine.states.len() * ROW;
        write(
            page,
            format_args!("<line x1=\"{left}\" y1=\"0\" x2=\"{left}\" y2=\"{bottom}\"/>\n"),
        );
    }
    let base = height - 6;
    write(
        page,
        format_args!(
            "<text x=\"{NAMES}\" y=\"{base}\">0</text><text x=\"{}\" y=\"{base}\">{}</text>\n</svg>\n",
            NAMES + scaled(machine.size),
            machine.size
        ),
    );
}

fn add_segment(page: &mut String, segment: &Segment, (left, top, width): (usize, usize, usize)) {
    let class = match segment.kind {
        SegmentKind::Local => "local",
        SegmentKind::Future => "future",
    };
    let (first, last) = (segment.offset, segment.offset + segment.size);
    let title = escaped(&format!(
        "{}, {} bytes, {first}..{last}",
        segment.label, segment.size
    ));
    write(
        page,
        format_args!(
            "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{BAR}\">\
         <title>{title}</title></rect>\n"
        ),
    );
    // A character is about 7.3 pixels wide.
    let room = width / 8;
    if room >= 4 {
        let label = escaped(&shortened(&segment.label, room));
        let (at, base) = (left + 4, top + BAR - 5);
        write(
            page,
            format_args!(
                "<text class=\"in\" x=\"{at}\" y=\"{base}\" pointer-events=\"none\">{label}</text>\n"
            ),
        );
    }
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(1)).collect();
    start + "…"
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{CrateSizes, page, shortened};
    use crate::macro_reports::sizes::MachineSizes;

    #[test]
    fn page_draws_values_at_their_offsets() {
        let report = "volt sizes 1\nplace\ta.rs\t7\tf\nmachine\tF\t20\t4\t40\texplicit\t0\t\t1\n\
                      state\tawait <g>\t8\t9\t10\t10\nlocal\tv\tVec<u8>\t5\t0\n";
        let sizes = CrateSizes {
            machines: vec![MachineSizes::read(report).expect("a report")],
            unmeasured: Vec::new(),
        };
        let page = page("a & b", &sizes);
        for expected in [
            "<h1>Sizes of a &amp; b</h1>",
            "(-50 %)",
            "<rect class=\"local\" x=\"190\" y=\"0\" width=\"90\" height=\"18\"><title>v: Vec&lt;u8&gt;, 5 bytes, 0..5",
            "<rect class=\"future\" x=\"370\" y=\"0\" width=\"180\" height=\"18\"><title>await &lt;g&gt;, 10 bytes, 10..20",
        ] {
            assert!(page.contains(expected), "{expected} is not in {page}");
        }
    }

    #[test]
    fn long_label_is_shortened() {
        assert_eq!(shortened("abcdef", 4), "abc…");
        assert_eq!(shortened("abcd", 4), "abcd");
    }
}
