//! The methods written by hand that a machine awaits as if they were machines.

use std::future::Future;

use volt_combinators::lent::Leaf;
use volt_combinators::{FutureGroup, Group, JoinAllCall, NextChildCall, NextOfCall, WaitCall};

/// Says what machines keep of calls of a type's methods.
macro_rules! leaves {
    (@one [$($parameters:tt)*] $Type:ty, $method:literal, $Machine:ty) => {
        impl<$($parameters)*>
            $crate::machine::private::Method<{ $crate::machine::private::method($method) }, ()>
            for $Type
        {
            type Machine = $Machine;
        }
    };
    ($($parameters:tt $Type:ty {
        $($method:literal => $Machine:ty,)*
    })*) => {
        $($($crate::machine::private::leaves!(@one $parameters $Type, $method, $Machine);)*)*
    };
}
pub(crate) use leaves;

leaves! {
    [T, S] Group<T, S> {
        "next" => Leaf<NextChildCall<Self>>,
        "join_all" => Leaf<JoinAllCall<Self>>,
        "shutdown" => Leaf<JoinAllCall<Self>>,
        "wait" => Leaf<WaitCall<Self>>,
    }
    [F: Future] FutureGroup<F> {
        "next" => Leaf<NextOfCall<F>>,
    }
}
