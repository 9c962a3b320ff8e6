//! Colours of all pictures.
//!
//! Each picture has its own background, so it is legible on every theme of the book.

use plotters::style::RGBColor;

pub(crate) const PAGE: RGBColor = RGBColor(0xfb, 0xfb, 0xfa);
pub(crate) const TEXT: RGBColor = RGBColor(0x1d, 0x27, 0x33);
pub(crate) const LINE: RGBColor = RGBColor(0x4a, 0x67, 0x85);
/// The colours of the series of a chart: blue, vermilion, green and purple of the palette of Okabe
/// and Ito, which colour-blind readers can separate.
pub(crate) const SERIES: [RGBColor; 4] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
];

/// The classes of fields in a strip, in the style sheet below.
pub(crate) const SERIES_CLASSES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// The style sheet of a diagram.
pub(crate) const SHEET: &str = "<style>\
.page{fill:#fbfbfa}.box{fill:#eef3f8;stroke:#4a6785}.line{stroke:#4a6785;fill:none}\
.head{fill:#4a6785;stroke:#4a6785}text{fill:#1d2733;font-family:system-ui,sans-serif}\
.a{fill:#9cc3ec}.b{fill:#efc793}.c{fill:#b4d6a6}.d{fill:#dab7e0}.e{fill:#eeb0b5}.f{fill:#c3ccd5}\
@media(prefers-color-scheme:dark){.page{fill:#1b2027}.box{fill:#26313d;stroke:#8fb0d1}\
.line{stroke:#8fb0d1}.head{fill:#8fb0d1;stroke:#8fb0d1}text{fill:#e3e8ee}\
.a{fill:#2c5580}.b{fill:#80561f}.c{fill:#416a31}.d{fill:#6a3f74}.e{fill:#7e353c}.f{fill:#4b5864}}\
</style>";

/// The dark colours of a chart, which has its light colours as attributes.
const DARK: &str = "<style>text{font-family:system-ui,sans-serif}\
@media(prefers-color-scheme:dark){[fill=\"#FBFBFA\"]{fill:#1b2027}[fill=\"#1D2733\"]{fill:#e3e8ee}\
[stroke=\"#4A6785\"]{stroke:#8fb0d1}[fill=\"#0072B2\"]{fill:#56b4e9}[fill=\"#D55E00\"]{fill:#e69f00}\
[fill=\"#009E73\"]{fill:#3ec79f}[fill=\"#CC79A7\"]{fill:#e3a6c8}}</style>";

/// The chart with its dark colours, and with a size that follows the page.
pub(crate) fn adapt(svg: &str) -> String {
    let Some(head) = svg.find('>') else {
        return svg.to_owned();
    };
    let (open, rest) = svg.split_at(head + 1);
    format!("{open}\n{DARK}{rest}")
}
