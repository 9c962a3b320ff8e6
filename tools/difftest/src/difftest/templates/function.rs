//! Whole functions, and families of them that call each other.

use super::signature::{Container, FunctionHead, signature};
use super::writer::TemplateWriter;
use crate::generate::{FAMILY, Frame, Function, Rng};

/// Attributes of functions; lints and notes for readers.
const ATTRIBUTES: &[&str] = &[
    "",
    "",
    "",
    "",
    "#[warn(unused)]\n",
    "#[inline]\n",
    "/// Waits.\n",
    "#[must_use]\n",
    "#[cfg(all())]\n",
    "#[cfg_attr(all(), warn(unused))]\n",
    "#[deprecated]\n",
    "#[track_caller]\n",
];

/// The fragments that the macro around a function receives.
const FRAGMENTS: [&str; 2] = [
    "($e:expr, $t:ty, $p:pat, $i:ident, $l:literal, $b:block, $s:stmt, $f:item, $k:tt, $life:lifetime, \
     $v:vis, $m:meta, $path:path)",
    "(10u32 + 20, Vec<u32>, Some(_), inner, 7u32, { num(5) }, let inner = num(6), \
     fn frag() -> u32 { 3 }, 3u32, 'frag, pub, warn(unused), Option::Some)",
];

/// Items that a macro declares before such a function, with names that a pattern may misread.
const SHAPES: &str = "\
macro_rules! shapes_own_name { ($shape:ident, $limit:ident; $($name:ident),*) => {
    #[derive(Clone, Copy, Debug, PartialEq)] pub enum $shape { $($name),* }
    pub use self::$shape::*;
    pub const $limit: u32 = 3;
} }
shapes_own_name! { Shape_own_name, limit_own_name; circle_own_name, square_own_name }
";

/// The statement by which the first function of a cycle awaits the second one, which is written
/// later.
const AWAITS_LATER: &str = "    awaits_later;\n";

/// Draws two functions of a family that await each other.
fn cycle(rng: &mut Rng) -> Option<[usize; 2]> {
    let first = rng.below(FAMILY - 1);
    let second = first + 1 + rng.below(FAMILY - 1 - first);
    rng.chance(10).then_some([first, second])
}

/// Writes the `index`-th family below `seed`: functions of which the later may call the earlier. In
/// some families two functions await each other in boxes.
pub(crate) fn family(seed: u64, index: u64) -> Vec<Function> {
    let mut rng = Rng::new(seed ^ 0x5eed, index);
    let cycle = cycle(&mut rng);
    let mut callees: Vec<FunctionHead> = Vec::new();
    let mut family: Vec<Function> = Vec::new();
    let mut next_id = 0;
    for number in 0..FAMILY {
        let signature = signature(&mut rng, number);
        let attribute = rng.pick(ATTRIBUTES);
        let is_macro = signature.home == Container::Macro;
        let mut writer = TemplateWriter::new(
            &mut rng,
            &mut next_id,
            &callees,
            signature.returns,
            is_macro,
        );
        let (head, begin) = writer.head(&signature);
        let mut recursion = writer.recursion(&signature);
        match cycle {
            Some([first, _]) if first == number => recursion += AWAITS_LATER,
            Some([first, second]) if second == number => {
                let [earlier, later] = writer.cycle([&callees[first], &signature]);
                recursion += &earlier;
                let source = &mut family[first].source;
                *source = source.replace(AWAITS_LATER, &later);
            }
            _ => {}
        }
        let body = writer.body();
        writer.locals.clear();
        let call = writer.call(&signature, true);
        let inner = if writer.rng.chance(5) {
            "    #![warn(unused)]\n"
        } else {
            ""
        };
        let head = if is_macro {
            head.replacen("pub ", "$v ", 1)
        } else {
            head
        };
        let (frame, wrap) = around(&signature, &head);
        let attribute = match signature.home {
            Container::Module => attribute,
            _ => "",
        };
        family.push(Function {
            name: signature.name.clone(),
            source: format!("{attribute}{head} {{\n{inner}{begin}{recursion}{body}}}")
                .replace("own_name", &signature.name),
            call,
            frame,
            wrap,
        });
        callees.push(signature);
    }
    family
}

/// Returns the text around the function: the block that contains it, or the macro that writes it.
fn around(signature: &FunctionHead, head: &str) -> (Frame, Option<[String; 2]>) {
    let number = &signature.name[1..];
    let plain = |open: &str| Frame::new([String::new(), String::new()], Some(open));
    let module = || Frame::new([String::new(), String::new()], None);
    match signature.home {
        Container::Module => (module(), None),
        Container::Host => (plain("impl Host {"), None),
        Container::OtherImpl => (plain("impl<T: Fresh> OtherImpl<T> {"), None),
        Container::Trait => {
            let declared = format!("trait Way{number} {{\n    {};\n}}\n", declared(head));
            let open = format!("impl Way{number} for Host {{");
            (Frame::new([declared.clone(), declared], Some(&open)), None)
        }
        Container::Macro => {
            let [patterns, given] = FRAGMENTS;
            let name = format!("make_f{number}");
            let items = SHAPES.replace("own_name", &signature.name);
            let before = format!("{items}macro_rules! {name} {{ {patterns} => {{\n");
            let after = format!("\n}} }}\n{name}!{given};\n");
            (module(), Some([before, after]))
        }
    }
}

/// The head as a trait declares it, where patterns are no names.
fn declared(head: &str) -> String {
    let Ok(mut item) = syn::parse_str::<syn::TraitItemFn>(&format!("{head};")) else {
        return head.to_owned();
    };
    for (index, input) in item.sig.inputs.iter_mut().enumerate() {
        match input {
            syn::FnArg::Typed(input) => {
                let name = quote::format_ident!("argument_{index}");
                *input.pat = syn::parse_quote!(#name);
            }
            syn::FnArg::Receiver(receiver) => receiver.mutability = None,
        }
    }
    let text = quote::quote!(#item).to_string();
    text.trim_end_matches([';', ' ']).to_owned()
}
