//! What every combinator of several futures is made of: a row, and the turns of its children.

/// Declares a combinator: its type, how it is made, its options and its `Debug`.
///
/// `never empty` says what a panic says if there are no futures.
macro_rules! combinator {
    ($(#[$meta:meta])* pub struct $Name:ident $(, never empty: $none:literal)?;) => {
        pin_project_lite::pin_project! {
            $(#[$meta])*
            pub struct $Name<C: Children> {
                pass: PollPass,
                #[pin]
                row: C::Row,
            }
        }

        crate::poll_pass::options!($Name);

        impl<C: Children> $Name<C> {
            #[inline]
            #[track_caller]
            pub(crate) fn new(children: impl crate::slots::IntoChildren<Children = C>) -> Self {
                let row = children.into_row();
                $(assert!(crate::slots::Row::len(&row) > 0, $none);)?
                Self {
                    pass: PollPass::new(&row),
                    row,
                }
            }
        }

        impl<C: Children> core::fmt::Debug for $Name<C> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Name))
                    .field("children", &crate::slots::States(&self.row))
                    .finish()
            }
        }
    };
}
pub(crate) use combinator;

/// Declares the future of a function under the function's own name, by which state machines find it.
macro_rules! own_name {
    ($(#[$meta:meta])* pub type $name:ident<$($T:ident),+> = $Type:ty;) => {
        $(#[$meta])*
        #[allow(
            non_camel_case_types,
            reason = "the type stands under the name of its function"
        )]
        pub type $name<$($T),+> = $Type;
    };
}
pub(crate) use own_name;

/// Makes a combinator of a `poll` function, which polls its row.
macro_rules! polled {
    ($Combinator:ident $(<$($T:ident),+>)?: $Row:path => $Output:ty) => {
        impl<C: Children> $Combinator<C> {
            /// Whether it must not be polled again: it has returned, or a future panicked.
            pub fn is_terminated(&self) -> bool {
                self.pass.is_over()
            }
        }

        impl<C $($(, $T)+)?> Future for $Combinator<C>
        where
            C: Children<Row: $Row>,
        {
            type Output = $Output;

            #[inline]
            fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                let this = self.project();
                poll(this.pass, this.row, cx)
            }
        }
    };
}
pub(crate) use polled;
