//! Functions whose words lead back to their names, and others.

use super::PackageWords;

mod modules;

fn entered(code: &str) -> PackageWords {
    let mut package = PackageWords::default();
    package.enter("", None, code);
    package
}

const PACKAGE: &str = "
    mod plain {
        pub async fn helper(n: u32) -> u32 { Box::pin(walk(n)).await }
        pub fn passes(n: u32) -> impl Future<Output = u32> { far(n) }
        trait Later { fn far(&self) -> [u32; 2]; fn other(&self) { let walk = 1; } }
        fn far(n: u32) -> impl Future<Output = u32> { async move { helper(n).await } }
        async fn apart(n: u32) -> u32 { n }
        macro_rules! walks { ($n:expr) => { crate::walk($n) }; }
        async unsafe fn by_macro(n: u32) { walks!(n).await }
        fn prints(n: u32) -> u32 { run(walk(n)) }
        fn kept(n: u32) -> Kept { Kept::of(n) }
        struct Kept { next: Pin<Box<Walk>> }
        struct Number(u32);
        async fn show(&self) -> u32 { walk(1).await }
        async fn hides(walk: u32) -> u32 { walk }
        impl Service for Walker { type Error = (); type Future = Walk; }
        fn service() -> impl Sized { type Hidden = Walk; Hidden::new() }
        fn number() -> Number { Number(walk as u32) }
    }
";

fn lead_back(text: &str) -> bool {
    entered(PACKAGE).lead_back(["walk", "Walk"], None, text)
}

#[test]
fn words_lead_back_through_opaque_outputs() {
    assert!(lead_back("fn walk (n : u32) { helper (n - 1) }"));
    assert!(lead_back("fn walk (n : u32) { plain :: passes (n) }"));
    assert!(lead_back("fn walk (n : u32) { list . map (far) }"));
    assert!(lead_back("fn walk (n : u32) { plain :: by_macro (n) }"));
    assert!(lead_back("fn walk (n : u32) { walks ! (n) }"));
}

#[test]
fn words_lead_back_through_types() {
    assert!(lead_back("fn walk (n : u32) { kept (n - 1) }"));
    assert!(lead_back("fn walk (n : u32) { Kept { next } }"));
}

#[test]
fn associated_types_are_named_by_paths() {
    assert!(lead_back(
        "fn walk (n : u32) { < Walker as Service > :: Future :: new () }"
    ));
    assert!(!lead_back("fn walk (n : u32) { Box < dyn Future > }"));
    assert!(lead_back("fn walk (n : u32) { Hidden :: new () }"));
}

#[test]
fn functions_with_a_receiver_are_called_as_methods() {
    assert!(lead_back("fn walk (n : u32) { n . show () }"));
    assert!(lead_back("fn walk (n : u32) { Page :: show (n) }"));
    assert!(!lead_back("fn walk (n : u32) { show (n) }"));
    assert!(!lead_back("fn walk (n : u32) { n . helper () }"));
}

#[test]
fn own_name_and_other_words_do_not_lead_back() {
    assert!(!lead_back("fn walk (n : u32) { walk (n - 1) }"));
    assert!(!lead_back("fn walk (n : u32) { Box :: pin (apart (n)) }"));
    assert!(!lead_back("fn walk (n : u32) { unknown (n) ; other (n) }"));
    assert!(!lead_back("fn walk (n : u32) { prints (n) ; number () }"));
    assert!(!lead_back(
        "fn walk (n : u32) { hides (n) ; let helper = n ; n . helper }"
    ));
}

#[test]
fn words_lead_back_through_machines_alone() {
    let others_lead_back = |text: &str| {
        let machines = "
            #[volt::state_machine] async fn linked(n: u32) -> u32 { Box::pin(walk(n)).await }
            #[volt::state_machine] async fn mixed(n: u32) -> u32 { linked(n).await + helper(n).await }
            async fn linked(n: u8) -> u8 { apart(n).await }
            ";
        let package = entered(&format!("{PACKAGE}{machines}"));
        assert!(package.lead_back(["walk", "Walk"], None, text), "{text}");
        package.lead_back_by_others(["walk", "Walk"], None, text)
    };
    // A plain function of the same name does not lead back.
    assert!(!others_lead_back("fn walk (n : u32) { linked (n) }"));
    assert!(others_lead_back("fn walk (n : u32) { helper (n) }"));
    assert!(others_lead_back("fn walk (n : u32) { mixed (n) }"));
    assert!(others_lead_back("fn walk (n : u32) { kept (n) }"));
    assert!(others_lead_back("fn walk (n : u32) { walks ! (n) }"));
}

#[test]
fn several_machines_may_have_one_name() {
    let package = entered(
        "
        #[volt::state_machine] impl Left { async fn sum(&self) {} async fn once(&self) {} }
        #[volt::state_machine] impl Right { async fn sum(&self) {} }
        impl Plain { async fn once(&self) {} }
        macro_rules! node { ($Node:ident) => {
            #[volt::state_machine] impl $Node { async fn repeated(&self) {} }
        } }
        ",
    );
    assert!(package.has_machines(".sum", None) && package.has_machines(".repeated", None));
    assert!(!package.has_machines(".once", None) && !package.has_machines("sum", None));
}

#[test]
fn declarations_lead_from_type_to_type() {
    let package = entered(
        "
        struct Left { right: Vec<Right>, leaf: Leaf }
        enum Right { Some(Rc<Middle>), None }
        type Middle = Option<Left>;
        struct Leaf(u32);
        impl Leaf { fn new() -> Left {} }
        ",
    );
    assert!(package.type_leads_to("Left", "Middle") && package.type_leads_to("Middle", "Right"));
    assert!(package.type_leads_to("Left", "Leaf") && !package.type_leads_to("Leaf", "Left"));
}

#[test]
fn imports_of_all_macros_of_a_crate_are_found() {
    let uses_macros = |code| entered(code).uses_foreign_macros;
    assert!(uses_macros("#[macro_use] extern crate own;"));
    assert!(uses_macros(
        "#[macro_use(vec)] #[cfg(test)] extern crate own;"
    ));
    assert!(!uses_macros("#[macro_use] mod own { extern crate other; }"));
    assert!(!uses_macros("#[macro_use] mod own; extern crate other;"));
}
