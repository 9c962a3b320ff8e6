//! Colours of all pictures.
//!
//! Each picture has its own background, so it is legible on every theme of the book.

/// The style sheet at the head of an SVG file.
pub(crate) const SHEET: &str = "<style>\
.page{fill:#fbfbfa}.box{fill:#eef3f8;stroke:#4a6785}.line{stroke:#4a6785;fill:none}\
.head{fill:#4a6785;stroke:#4a6785}text{fill:#1d2733;font-family:system-ui,sans-serif}\
.a{fill:#2f6db3}.b{fill:#c47a2c}.c{fill:#6a9a58}.d{fill:#9c5aa8}.e{fill:#b14d55}.f{fill:#71808f}\
.faint{fill:#8a96a3}\
@media(prefers-color-scheme:dark){.page{fill:#1b2027}.box{fill:#26313d;stroke:#8fb0d1}\
.line{stroke:#8fb0d1}.head{fill:#8fb0d1;stroke:#8fb0d1}text{fill:#e3e8ee}\
.a{fill:#6aa5e6}.b{fill:#e0a561}.c{fill:#93c47f}.d{fill:#c58fd0}.e{fill:#e08089}.f{fill:#97a5b3}}\
</style>";
