//! The marks of a chart: shapes, lines and bands.

use std::fmt::Write as _;

/// The colours of the series are those of the palette of Okabe and Ito, which colour-blind readers
/// can separate: blue, vermilion, black, green.
pub(crate) const SHEET: &str = "<style>text{fill:#1d2733;font-family:system-ui,sans-serif}\
.page{fill:#fbfbfa}.heading{font-weight:600}.grid{stroke:#dfe4ea}.one{stroke:#4a6785}\
.band{fill:#4a6785;opacity:.25}.s0{fill:#0072b2;stroke:#0072b2}.s1{fill:#d55e00;stroke:#d55e00}\
.s2{fill:#1d2733;stroke:#1d2733}.s3{fill:#00805e;stroke:#00805e}\
@media(prefers-color-scheme:dark){text{fill:#e3e8ee}.page{fill:#1b2027}.grid{stroke:#39434f}\
.one{stroke:#8fb0d1}.band{fill:#8fb0d1;opacity:.35}.s0{fill:#56b4e9;stroke:#56b4e9}\
.s1{fill:#e69f00;stroke:#e69f00}.s2{fill:#e3e8ee;stroke:#e3e8ee}.s3{fill:#3ec79f;stroke:#3ec79f}}\
</style>";

/// The number of series that have a shape and a colour of their own.
pub(crate) const SHAPES: usize = 4;

/// A square, a diamond, a circle or a triangle, so that colour is not the only difference.
pub(crate) fn mark(svg: &mut String, series: usize, at: (f64, f64)) {
    let (x, y) = at;
    let path = match series {
        0 => format!("M{:.1} {:.1}h7v7h-7z", x - 3.5, y - 3.5),
        1 => format!("M{x:.1} {:.1}l4.5 4.5l-4.5 4.5l-4.5 -4.5z", y - 4.5),
        2 => format!(
            "M{:.1} {y:.1}a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0 -7.6 0z",
            x - 3.8
        ),
        _ => format!("M{x:.1} {:.1}l4.6 8h-9.2z", y - 4.6),
    };
    _ = writeln!(
        svg,
        "<path class=\"s{series}\" stroke=\"none\" d=\"{path}\"/>"
    );
}

/// A straight line.
pub(crate) fn line(svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    _ = writeln!(
        svg,
        "<path class=\"{class}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
        from.0, from.1, to.0, to.1
    );
}

/// The range of the reference.
pub(crate) fn band(svg: &mut String, sides: (f64, f64), top: f64, height: f64) {
    let width = sides.1 - sides.0;
    _ = writeln!(
        svg,
        "<rect class=\"band\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>",
        sides.0
    );
}
