//! Counts the explicit functions of a folder, and the fallback reasons of the others.
//!
//! `STAGES_CORPUS=folder cargo test -p ui-tests --test stages corpus -- --nocapture`

use std::collections::BTreeMap;
use std::path::Path;

use syn::visit::Visit;

use crate::hir::StoredTypes;
use crate::pipeline::analyse;
use crate::signature::{ImplTarget, Method};

#[derive(Default)]
struct Found {
    functions: usize,
    generic: usize,
    without_awaits: usize,
    sure: usize,
    first: BTreeMap<String, usize>,
    alone: BTreeMap<String, usize>,
    sets: BTreeMap<String, usize>,
    show: Vec<String>,
}

impl Found {
    fn function(&mut self, sig: &syn::Signature, block: &syn::Block) {
        if sig.asyncness.is_none() {
            return;
        }
        let analysis = analyse(sig, block, StoredTypes::Any);
        if analysis.body.awaits.is_empty() {
            self.without_awaits += 1;
        }
        let mut reasons: Vec<_> = analysis
            .fallbacks
            .all()
            .iter()
            .map(|it| format!("{:?}", it.reason))
            .collect();
        if reasons.iter().any(|reason| reason == "TypeParameter") {
            self.generic += 1;
            return;
        }
        self.functions += 1;
        reasons.sort();
        reasons.dedup();
        *self.sets.entry(reasons.join(" ")).or_default() += 1;
        match &reasons[..] {
            [] => self.sure += 1,
            [only] => *self.alone.entry(only.clone()).or_default() += 1,
            _ => {}
        }
        for reason in &reasons {
            *self.first.entry(reason.clone()).or_default() += 1;
        }
        if std::env::var("STAGES_SHOW").is_ok() {
            self.show
                .push(format!("{}: {}", sig.ident, analysis.doubted()));
        }
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        for item in &block.items {
            if let syn::ImplItem::Fn(original) = item
                && original.sig.asyncness.is_some()
            {
                let (impl_target, original) = (ImplTarget::new(block), original.clone());
                if let Some(item) = (Method {
                    impl_target,
                    original,
                })
                .function(false)
                {
                    self.function(&item.sig, &item.block);
                }
            }
        }
        syn::visit::visit_item_impl(self, block);
    }
}

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn corpus_is_counted() {
    let Ok(folder) = std::env::var("STAGES_CORPUS") else {
        return;
    };
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    let mut found = Found::default();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if let Ok(file) = syn::parse_file(&text) {
            found.visit_file(&file);
        }
    }
    let Found {
        functions,
        generic,
        without_awaits,
        sure,
        first,
        alone,
        sets,
        show,
    } = found;
    println!("{}", show.join("\n"));
    let mut sets: Vec<_> = sets.into_iter().map(|(set, count)| (count, set)).collect();
    sets.sort();
    for (count, set) in sets {
        println!("set {count} {set}");
    }
    println!(
        "functions {functions} (and {generic} with type parameters), {without_awaits} without awaits"
    );
    println!("sure {sure}\nwith the fallback: {first:#?}\nwith this fallback alone: {alone:#?}");
}
