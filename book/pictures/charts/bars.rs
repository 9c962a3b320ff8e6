//! Bar charts, drawn by plotters.

use std::error::Error;

use plotters::prelude::*;

use crate::style;

/// One bar, with its series and its label.
pub(crate) struct Bar {
    pub(crate) series: usize,
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// The bars of one row, below its title.
pub(crate) struct Row {
    pub(crate) title: String,
    pub(crate) bars: Vec<Bar>,
}

/// A chart of rows, whose bars begin at zero.
pub(crate) struct Chart<'a> {
    pub(crate) series: &'a [&'a str],
    pub(crate) rows: Vec<Row>,
    /// The end of the scale.
    pub(crate) most: f64,
}

const WIDTH: i32 = 430;
const MARGIN: i32 = 12;
/// Room for the labels to the right of the longest bar.
const LABELS: i32 = 64;
const TITLE: i32 = 19;
const THICKNESS: i32 = 12;
const GAP: i32 = 9;

impl Chart<'_> {
    /// Draws the chart as SVG.
    pub(crate) fn draw(&self) -> Result<String, Box<dyn Error>> {
        let bars: usize = self.rows.iter().map(|row| row.bars.len()).sum();
        let bars = i32::try_from(bars)?;
        let rows = i32::try_from(self.rows.len())?;
        let height = 2 * MARGIN + 22 + rows * (TITLE + GAP) + bars * THICKNESS;
        let size = (WIDTH.unsigned_abs(), height.unsigned_abs());
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            area.fill(&style::PAGE)?;
            self.draw_legend(&area)?;
            self.draw_rows(&area)?;
            area.present()?;
        }
        Ok(style::adapt(&svg))
    }

    fn draw_legend<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), Box<dyn Error>>
    where
        B::ErrorType: 'static,
    {
        let mut left = MARGIN;
        for (index, name) in self.series.iter().enumerate() {
            let colour = style::SERIES[index].filled();
            area.draw(&Rectangle::new(
                [(left, MARGIN + 1), (left + 10, MARGIN + 11)],
                colour,
            ))?;
            area.draw(&Text::new(
                (*name).to_owned(),
                (left + 15, MARGIN - 1),
                font(13),
            ))?;
            left += 34 + 7 * i32::try_from(name.chars().count())?;
        }
        Ok(())
    }

    fn draw_rows<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), Box<dyn Error>>
    where
        B::ErrorType: 'static,
    {
        let room = f64::from(WIDTH - 2 * MARGIN - LABELS);
        let mut top = MARGIN + 22;
        for row in &self.rows {
            area.draw(&Text::new(row.title.clone(), (MARGIN, top + 2), font(13)))?;
            top += TITLE;
            let above = top - 2;
            for bar in &row.bars {
                let length = (bar.value / self.most * room).round() as i32;
                let to = MARGIN + length.max(1);
                let corners = [(MARGIN, top), (to, top + THICKNESS - 2)];
                area.draw(&Rectangle::new(corners, style::SERIES[bar.series].filled()))?;
                area.draw(&Text::new(bar.label.clone(), (to + 5, top - 1), font(11)))?;
                top += THICKNESS;
            }
            let line = [(MARGIN, above), (MARGIN, top)];
            area.draw(&PathElement::new(line, style::LINE.stroke_width(1)))?;
            top += GAP;
        }
        Ok(())
    }
}

type Area<B> = DrawingArea<B, plotters::coord::Shift>;

fn font(size: i32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&style::TEXT)
}
