//! Alignments as types.

/// An alignment of `N` bytes.
#[derive(Debug)]
pub struct Align<const N: usize>;

/// A number that is a valid alignment.
#[diagnostic::on_unimplemented(
    message = "{Self} is not an alignment",
    note = "an alignment is a power of two, at most 2^29"
)]
pub trait Aligned {
    /// A type of size zero with the alignment.
    type Unit: Copy;
}

macro_rules! alignments {
    ($($number:literal $Unit:ident)*) => {
        $(
            /// A type of size zero.
            #[derive(Clone, Copy, Debug)]
            #[repr(align($number))]
            pub struct $Unit;

            impl Aligned for Align<$number> {
                type Unit = $Unit;
            }
        )*
    };
}

alignments! {
    1 Align1
    2 Align2
    4 Align4
    8 Align8
    16 Align16
    32 Align32
    64 Align64
    128 Align128
    256 Align256
    512 Align512
    1024 Align1024
    2048 Align2048
    4096 Align4096
    8192 Align8192
    16384 Align16384
    32768 Align32768
    65536 Align65536
    131072 Align131072
    262144 Align262144
    524288 Align524288
    1048576 Align1048576
    2097152 Align2097152
    4194304 Align4194304
    8388608 Align8388608
    16777216 Align16777216
    33554432 Align33554432
    67108864 Align67108864
    134217728 Align134217728
    268435456 Align268435456
    536870912 Align536870912
}
