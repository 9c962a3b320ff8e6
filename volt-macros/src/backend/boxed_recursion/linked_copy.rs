//! The linked copies of functions that await each other.
//!
//! ```text
//! const _: () = {
//!     async fn __EvenCopy(n: u32) -> bool { Box::pin(odd(n - 1).__volt_linked()).await }
//!     impl Even { fn __volt_linked(self) -> OwnFuture<Even, impl Sized> { the future of the copy } }
//!     impl AutoTraitInfo for Even {
//!         const AUTO: AutoTraits = auto_traits_of(|| probe_output::<(u32,), _>(__EvenCopy).__volt_auto());
//!     }
//! };
//! ```
//!
//! In a copy, the future of another copy replaces each machine that leads back to the function. The
//! compiler looks through the opaque types of these futures, and no constant is evaluated. So it
//! determines the auto traits of all copies of a cycle together, as those of plain functions.
//! Another type than such a machine stays as it is.
//!
//! A function of another package may require that a future is `Send`. The compiler would query that
//! while it still checks the body. So such a function receives a future whose auto traits are
//! assumed, and a local holds the copy of the machine:
//!
//! ```text
//! let __volt_copy_0 = HeldCopy::new();
//! heap(match odd(n - 1) { it => { __volt_copy_0.is(it.__volt_copy()); it.__volt_assumed() } }).await
//! ```

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::linked_calls::{CallPlaces, CopiedFn, copy_mark, link_calls, linked_mark};
use super::marked::MarkerImpl;
use super::plain_fn::PlainFn;
use crate::options::Send;

impl MarkerImpl<'_> {
    /// Returns the linked copy, and the implementation with its auto traits, unless the coroutine
    /// determines these.
    pub(super) fn linked_copy(&self, places: CallPlaces) -> TokenStream {
        let (volt, name, signature) = (self.volt, self.name, self.signature);
        let (private, tuple) = (quote!(#volt::__private), signature.tuple());
        let copy = PlainFn {
            item: self.item,
            method: self.method,
            signature,
            machine: name,
            name: format_ident!("__{name}Copy"),
            bound: None,
            is_only_copy: false,
        };
        let mut body = copy.body();
        let calls = CopiedFn {
            item: self.item,
            method: self.method,
            machine: name,
        };
        link_calls(&calls, places, volt, &mut body);
        let (declared, closure) = (copy.declare(&body), copy.closure(&tuple, false));
        let (arguments, bound, mark) = (signature.arguments(), self.bound(), linked_mark());
        let (parameters, bounds) = signature.of_any_lifetimes();
        let bounds = bounds.map(|bounds| quote!(#bounds,));
        let (copy_of, of_machine) = (copy_mark(), signature.static_arguments());
        let answer = matches!(self.send, Send::OfCopy(..)).then(|| {
            quote! {
                #[doc(hidden)]
                #[automatically_derived]
                impl<#parameters> #private::inferred::AutoTraitInfo for #name<#arguments> where #bounds #bound {
                    const AUTO: #private::native::AutoTraits = #private::native::auto_traits_of(|| {
                        let _never = #private::inferred::never();
                        #private::inferred::probe_output::<(#tuple,), _>(#closure).__volt_auto()
                    });
                }
            }
        });
        quote! {
            const _: () = {
                #private::inferred::allow_lints! { {
                    use #private::native::{AssumeFuture as _, KeepOther as _, KeepValue as _, NoCopy as _};
                    #declared
                    impl<#parameters> #name<#arguments> where #bounds {
                        #[doc(hidden)]
                        #[inline]
                        #[must_use]
                        pub fn #mark(self) -> #private::native::OwnFuture<Self, impl Sized + use<#arguments>> {
                            #private::native::OwnFuture::of_copy(self, #closure)
                        }
                        #[doc(hidden)]
                        #[inline]
                        pub fn #copy_of(&self) -> impl Sized + use<> {
                            #private::native::output_of(#name::<#of_machine>::#mark)
                        }
                    }
                    #answer
                } }
            };
        }
    }
}
