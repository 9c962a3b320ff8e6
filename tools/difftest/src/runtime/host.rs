//! Types that methods can be written for, in each module anew.

/// Declares them.
#[macro_export]
macro_rules! hosts {
    () => {
        /// Has methods.
        #[derive(Debug)]
        pub struct Host {
            pub n: u32,
            pub d: DropLogger,
        }

        /// Has methods, whatever it holds.
        #[derive(Debug)]
        pub struct OtherImpl<T: Fresh> {
            pub n: u32,
            pub t: T,
        }

        impl Look for Host {
            fn number(&self) -> u32 {
                self.n ^ self.d.number()
            }
        }

        impl<T: Fresh> Look for OtherImpl<T> {
            fn number(&self) -> u32 {
                self.n ^ self.t.number()
            }
        }

        pub fn host(id: u32) -> Host {
            Host { n: id, d: d(id) }
        }

        pub fn other_impl<T: Fresh>(id: u32, t: T) -> OtherImpl<T> {
            note(id);
            OtherImpl { n: id, t }
        }
    };
}
