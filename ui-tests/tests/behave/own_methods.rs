//! Traits of the user's for all types, with methods by value that are named as those that
//! expansions call.

#![allow(dead_code, reason = "odd on purpose")]
use super::log::*;

macro_rules! named {
    ($($name:ident)*) => { $(
        pub(crate) mod $name {
            use super::super::log::*;

            pub(crate) struct Own;

            pub(crate) trait Extension: Sized {
                fn $name(self) -> Own {
                    Own
                }
            }

            impl<T> Extension for T {}

            pub(crate) struct Client(D, u32);

            impl Client {
                async fn fetch(&self) -> u32 {
                    tick("fetch").await;
                    self.1
                }
            }

            subject! {
                async fn waits(n: u32, d: D, client: Client) -> Result<u32, String> {
                    let mut sum = 0;
                    for k in 0..n {
                        let next = step("s", 1, k).await;
                        if next == 7 {
                            return Err("seven".into());
                        }
                        sum += next;
                    }
                    let fetched = client.fetch().await;
                    let result: Result<u32, String> = Ok(fetched);
                    let value = result?;
                    assert!(d.0.len() == 1);
                    Ok(sum + value)
                }
            }

            subject! {
                async fn generic<T: Clone>(value: T) -> (T, u32) {
                    let inner = async {
                        tick("in").await;
                        4
                    }
                    .await;
                    (value.clone(), inner)
                }
            }

            fn client() -> Client {
                Client(D("made"), 5)
            }

            subject! {
                async fn of_a_value() -> u32 {
                    client().fetch().await
                }
            }

            subject! {
                async fn in_macro(n: u32) -> (u32, u32) {
                    let pair = (n, vec![step("vec", 1, n).await][0]);
                    tick("pair").await;
                    pair
                }
            }

            subject! {
                impl Client {
                    async fn method(&self, key: &str) -> usize {
                        let fetched = self.fetch().await;
                        tick("method").await;
                        key.len() + fetched as usize
                    }

                    async fn owned(self) -> u32 {
                        self.fetch().await
                    }
                }
            }

            pub(super) fn cases(list: &mut Vec<(&'static str, Case)>) {
                let _ = (0).$name();
                list.push((concat!(stringify!($name), " waits"), || shown(waits(2, D("d"), Client(D("c"), 3)))));
                list.push((concat!(stringify!($name), " generic"), || shown(generic(3))));
                list.push((concat!(stringify!($name), " value"), || shown(of_a_value())));
                list.push((concat!(stringify!($name), " macro"), || shown(in_macro(3))));
                list.push((concat!(stringify!($name), " method"), || {
                    shown(async { Client(D("c"), 3).method("a").await })
                }));
                list.push((concat!(stringify!($name), " owned"), || shown(Client(D("c"), 3).owned())));
            }
        }
    )*

    pub(crate) fn cases() -> Vec<(&'static str, Case)> {
        let mut list = Vec::new();
        $($name::cases(&mut list);)*
        list
    } };
}

named! {
    at tag put take hold stack or get set returned poll shown traced answer unpin kept output is ask begin at_site
    nested mark capture receive auto look drop run map_unchecked_mut write state branch own
}
