//! Macros for the combinators of several futures.

/// Declares a combinator: its type, constructor, options and `Debug`.
///
/// `never empty` is the message of the panic if there are no futures.
macro_rules! combinator {
    ($(#[$meta:meta])* pub struct $Name:ident $(, never empty: $none:literal)?;) => {
        pin_project_lite::pin_project! {
            $(#[$meta])*
            pub struct $Name<C: Children> {
                pass: PollPass,
                #[pin]
                storage: C::Storage,
            }
        }

        crate::poll_pass::options!($Name);

        impl<C: Children> $Name<C> {
            #[inline]
            #[track_caller]
            pub(crate) fn new(children: impl crate::slots::IntoChildren<Children = C>) -> Self {
                volt_inspect::register::<Self>();
                let storage = children.into_storage();
                $(assert!(crate::slots::ChildStorage::len(&storage) > 0, $none);)?
                Self {
                    pass: PollPass::new(&storage),
                    storage,
                }
            }
        }

        impl<C: Children> volt_inspect::Inspect for $Name<C> {
            fn inspect(
                self: core::pin::Pin<&mut Self>,
                inspector: &mut volt_inspect::Inspector<'_>,
            ) {
                let this = self.project();
                inspector.node(&volt_inspect::Node::new(stringify!($Name)), |inspector| {
                    this.pass.inspect(this.storage, inspector);
                });
            }
        }

        // SAFETY: the implementation has only the bounds of the type itself.
        unsafe impl<C: Children> volt_inspect::Registrable for $Name<C> {}

        impl<C: Children> core::fmt::Debug for $Name<C> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Name))
                    .field("children", &crate::slots::States(&self.storage))
                    .finish()
            }
        }
    };
}
pub(super) use combinator;

/// Implements `Inspect` for a future that borrows a combinator in its field `$field`.
macro_rules! inspect_borrowed {
    ($Name:ident { $field:ident }) => {
        impl<C: Children> volt_inspect::Inspect for $Name<'_, C> {
            fn inspect(
                self: core::pin::Pin<&mut Self>,
                inspector: &mut volt_inspect::Inspector<'_>,
            ) {
                self.get_mut().$field.as_mut().inspect(inspector);
            }
        }

        // SAFETY: the implementation has only the bounds of the type itself.
        unsafe impl<C: Children> volt_inspect::Registrable for $Name<'_, C> {}
    };
}
pub(super) use inspect_borrowed;

/// Implements `Future` for a combinator by a `poll` function.
macro_rules! polled {
    ($Combinator:ident $(<$($T:ident),+>)?: $Storage:path => $Output:ty) => {
        impl<C: Children> $Combinator<C> {
            /// Returns `true` if it must not be polled again: it has returned, or a future
            /// panicked.
            pub fn is_terminated(&self) -> bool {
                self.pass.is_over()
            }
        }

        impl<C $($(, $T)+)?> Future for $Combinator<C>
        where
            C: Children<Storage: $Storage>,
        {
            type Output = $Output;

            #[inline]
            fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                let this = self.project();
                poll(this.pass, this.storage, cx)
            }
        }
    };
}
pub(super) use polled;
