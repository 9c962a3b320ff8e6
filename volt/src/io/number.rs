//! Conversion between numbers and bytes.

use std::fmt::Debug;

mod sealed {
    //! Seals the traits of this module.

    /// A supertrait that other crates cannot name.
    pub trait Sealed {}
}

/// A primitive number that can be read from a stream and written to one.
///
/// It is implemented for integers and floats of fixed width only.
pub trait Number: Copy + Debug + Unpin + sealed::Sealed + 'static {
    #[doc(hidden)]
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + Copy + Debug + Default + Unpin;
    #[doc(hidden)]
    fn from_big(bytes: Self::Bytes) -> Self;
    #[doc(hidden)]
    fn from_little(bytes: Self::Bytes) -> Self;
    #[doc(hidden)]
    fn into_big(self) -> Self::Bytes;
    #[doc(hidden)]
    fn into_little(self) -> Self::Bytes;
}

/// The order of the bytes of a number in a stream: [`BigEndian`] or [`LittleEndian`].
pub trait Endian: Debug + Unpin + sealed::Sealed + 'static {
    #[doc(hidden)]
    fn decode<N: Number>(bytes: N::Bytes) -> N;
    #[doc(hidden)]
    fn encode<N: Number>(number: N) -> N::Bytes;
}

/// The most significant byte comes first.
#[derive(Clone, Copy, Debug)]
pub enum BigEndian {}

/// The least significant byte comes first.
#[derive(Clone, Copy, Debug)]
pub enum LittleEndian {}

impl sealed::Sealed for BigEndian {}
impl sealed::Sealed for LittleEndian {}

impl Endian for BigEndian {
    fn decode<N: Number>(bytes: N::Bytes) -> N {
        N::from_big(bytes)
    }

    fn encode<N: Number>(number: N) -> N::Bytes {
        number.into_big()
    }
}

impl Endian for LittleEndian {
    fn decode<N: Number>(bytes: N::Bytes) -> N {
        N::from_little(bytes)
    }

    fn encode<N: Number>(number: N) -> N::Bytes {
        number.into_little()
    }
}

macro_rules! impl_number {
    ($($number:ty)*) => {$(
        impl sealed::Sealed for $number {}

        impl Number for $number {
            type Bytes = [u8; size_of::<$number>()];

            fn from_big(bytes: Self::Bytes) -> Self {
                Self::from_be_bytes(bytes)
            }

            fn from_little(bytes: Self::Bytes) -> Self {
                Self::from_le_bytes(bytes)
            }

            fn into_big(self) -> Self::Bytes {
                self.to_be_bytes()
            }

            fn into_little(self) -> Self::Bytes {
                self.to_le_bytes()
            }
        }
    )*};
}

impl_number!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);
