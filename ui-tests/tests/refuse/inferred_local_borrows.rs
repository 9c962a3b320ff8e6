//! What is stored borrows no local of the call, in whatever it is hidden.
use std::cell::Cell;

use volt::__private::inferred::{Mode, LayoutInfo, Region, SlotSet};

trait Length {
    fn length(&self) -> usize;
}

impl Length for &[u8] {
    fn length(&self) -> usize {
        self.len()
    }
}

fn captures(bytes: &[u8]) -> impl Fn() -> usize {
    move || bytes.len()
}

trait Cells {
    type Output;
    fn cells(self) -> Self::Output;
}

impl<'a> Cells for &'a [u8] {
    type Output = Cell<Option<&'a u8>>;
    fn cells(self) -> Self::Output {
        Cell::new(self.first())
    }
}

struct Two<'a, 'b>(Cell<&'a [u8]>, &'b str);

macro_rules! advance {
    ($($name:ident |$buf:ident, $line:ident = $look:expr, $word:ident| $stored:expr;)*) => { $(
        unsafe fn $name<'a, 'm, S: LayoutInfo, M: Mode>(base: *mut u8, region: &Region<'m>, $word: &'a str)
        where
            'a: 'm,
        {
            let slots = unsafe { SlotSet::<S, false>::of(base) };
            let slot = unsafe { slots.at::<_, 0>() };
            let $buf = vec![1, 2, 3];
            let $line: &[u8] = $look;
            slot.store(region, $stored);
        }
    )* };
}

advance! {
    object |buf, line = &buf, _word| Box::new(line) as Box<dyn Length + '_>;
    opaque |buf, line = &buf, _word| captures(line);
    projected |buf, line = &buf, _word| line.cells();
    two_lifetimes |buf, line = &buf, word| Two(Cell::new(line), word);
    iterator |buf, line = &buf, _word| line.iter();
    block |buf, line = &buf, _word| async move { line.len() };
}

unsafe fn grown<'m, S: LayoutInfo, M: Mode>(base: *mut u8, region: &Region<'m>) {
    let slots = unsafe { SlotSet::<S, false>::of(base) };
    let slot = unsafe { slots.at::<Vec<&[u8]>, 0>() };
    let buf = vec![1, 2, 3];
    slot.store(region, Vec::new());
    slot.guard().push(&buf);
}

fn main() {}
