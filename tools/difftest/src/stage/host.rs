//! Types that methods can be written for, in each module anew.

/// Declares them.
#[macro_export]
macro_rules! hosts {
    () => {
        /// Has methods.
        #[derive(Debug)]
        pub struct Host {
            pub n: u32,
            pub d: D,
        }

        /// Has methods, whatever it holds.
        #[derive(Debug)]
        pub struct Shelf<T: Fresh> {
            pub n: u32,
            pub t: T,
        }

        impl Look for Host {
            fn number(&self) -> u32 {
                self.n ^ self.d.number()
            }
        }

        impl<T: Fresh> Look for Shelf<T> {
            fn number(&self) -> u32 {
                self.n ^ self.t.number()
            }
        }

        pub fn host(id: u32) -> Host {
            Host { n: id, d: d(id) }
        }

        pub fn shelf<T: Fresh>(id: u32, t: T) -> Shelf<T> {
            note(id);
            Shelf { n: id, t }
        }
    };
}
