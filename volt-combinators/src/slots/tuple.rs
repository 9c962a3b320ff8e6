//! Tuples of up to 16 children.

use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::Context;

use super::child_storage::sealed::Sealed;
use super::child_storage::{
    ChildStorage, Children, FallibleStorage, IntoChildren, JoinStorage, SHARED_WAKER_CHILDREN,
    UniformStorage,
};
use super::pinned::pin_field;
use super::slot::{ChildPoll, Slot};
use volt_inspect::{Inspector, Status};

/// Tuples up to this length inline the poll of each field in `poll_child`.
const INLINED_FIELDS: usize = 4;

/// Polls a field of a longer tuple, without inlining. The `match` over the fields then stays small
/// enough to be inlined into the loop of a pass.
#[inline(never)]
fn poll_one_of_many<F: Future>(slot: Pin<&mut Slot<F>>, cx: &mut Context<'_>) -> ChildPoll {
    slot.poll(cx)
}

macro_rules! tuple {
    ($len:literal: $($F:ident $V:ident $n:tt)+) => {
        impl<$($F),+> Sealed for ($($F,)+) {}

        impl<$($F: IntoFuture),+> IntoChildren for ($($F,)+) {
            type Children = ($($F::IntoFuture,)+);

            #[inline]
            fn into_storage(self) -> ($(Slot<$F::IntoFuture>,)+) {
                ($(Slot::new(self.$n.into_future()),)+)
            }
        }

        impl<$($F: Future),+> Children for ($($F,)+) {
            type Storage = ($(Slot<$F>,)+);
        }

        impl<$($F: Future),+> ChildStorage for ($(Slot<$F>,)+) {
            const MAY_USE_WAKE_SET: bool = $len > SHARED_WAKER_CHILDREN;

            #[inline]
            fn len(&self) -> usize {
                $len
            }

            #[inline]
            fn poll_child(self: Pin<&mut Self>, child: usize, cx: &mut Context<'_>) -> ChildPoll {
                match child {
                    $($n if $len <= INLINED_FIELDS => pin_field!(self, $n).poll(cx),)+
                    $($n => poll_one_of_many(pin_field!(self, $n), cx),)+
                    _ => ChildPoll::NotLive,
                }
            }

            fn state(&self, child: usize) -> &'static str {
                match child {
                    $($n => self.$n.state(),)+
                    _ => "Gone",
                }
            }

            fn inspect_child(
                self: Pin<&mut Self>,
                child: usize,
                status: Status,
                inspector: &mut Inspector<'_>,
            ) {
                match child {
                    $($n => pin_field!(self, $n).inspect(child, status, inspector),)+
                    _ => {}
                }
            }

            #[inline]
            fn clear(mut self: Pin<&mut Self>) {
                $(pin_field!(self.as_mut(), $n).clear();)+
            }
        }

        impl<$($F: Future),+> JoinStorage for ($(Slot<$F>,)+) {
            type Outputs = ($($F::Output,)+);

            #[inline]
            fn take_all(mut self: Pin<&mut Self>) -> Option<Self::Outputs> {
                Some(($(pin_field!(self.as_mut(), $n).take()?,)+))
            }
        }

        impl<T, $($F: Future<Output = T>),+> UniformStorage for ($(Slot<$F>,)+) {
            type Output = T;

            #[inline]
            fn take(self: Pin<&mut Self>, child: usize) -> Option<T> {
                match child {
                    $($n => pin_field!(self, $n).take(),)+
                    _ => None,
                }
            }
        }

        impl<E, $($V, $F: Future<Output = Result<$V, E>>),+> FallibleStorage for ($(Slot<$F>,)+) {
            type Values = ($($V,)+);
            type Error = E;

            fn take_error(self: Pin<&mut Self>, child: usize) -> Option<E> {
                match child {
                    $($n if matches!(self.$n.output(), Some(Err(_))) => {
                        pin_field!(self, $n).take()?.err()
                    })+
                    _ => None,
                }
            }

            fn take_values(mut self: Pin<&mut Self>) -> Option<Self::Values> {
                Some(($(pin_field!(self.as_mut(), $n).take()?.ok()?,)+))
            }
        }
    };
}

tuple!(1: A VA 0);
tuple!(2: A VA 0 B VB 1);
tuple!(3: A VA 0 B VB 1 C VC 2);
tuple!(4: A VA 0 B VB 1 C VC 2 D VD 3);
tuple!(5: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4);
tuple!(6: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5);
tuple!(7: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5 H VH 6);
tuple!(8: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5 H VH 6 I VI 7);
tuple!(9: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5 H VH 6 I VI 7 J VJ 8);
tuple!(10: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5 H VH 6 I VI 7 J VJ 8 K VK 9);
tuple!(11: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5 H VH 6 I VI 7 J VJ 8 K VK 9 L VL 10);
tuple!(12: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5 H VH 6 I VI 7 J VJ 8 K VK 9 L VL 10 M VM 11);
tuple!(13: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5 H VH 6 I VI 7 J VJ 8 K VK 9 L VL 10 M VM 11
    N VN 12);
tuple!(14: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5 H VH 6 I VI 7 J VJ 8 K VK 9 L VL 10 M VM 11
    N VN 12 O VO 13);
tuple!(15: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5 H VH 6 I VI 7 J VJ 8 K VK 9 L VL 10 M VM 11
    N VN 12 O VO 13 P VP 14);
tuple!(16: A VA 0 B VB 1 C VC 2 D VD 3 F VF 4 G VG 5 H VH 6 I VI 7 J VJ 8 K VK 9 L VL 10 M VM 11
    N VN 12 O VO 13 P VP 14 Q VQ 15);

impl Sealed for () {}

impl IntoChildren for () {
    type Children = ();

    #[inline]
    fn into_storage(self) {}
}

impl Children for () {
    type Storage = ();
}

impl ChildStorage for () {
    const MAY_USE_WAKE_SET: bool = false;

    #[inline]
    fn len(&self) -> usize {
        0
    }

    fn poll_child(self: Pin<&mut Self>, _child: usize, _cx: &mut Context<'_>) -> ChildPoll {
        ChildPoll::NotLive
    }

    fn state(&self, _child: usize) -> &'static str {
        "Gone"
    }

    fn inspect_child(self: Pin<&mut Self>, _: usize, _: Status, _: &mut Inspector<'_>) {}

    #[inline]
    fn clear(self: Pin<&mut Self>) {}
}

impl JoinStorage for () {
    type Outputs = ();

    #[inline]
    fn take_all(self: Pin<&mut Self>) -> Option<()> {
        Some(())
    }
}
