//! Functions that box futures, and functions with similar text that do not.

use super::*;

#[test]
fn self_calling_function_is_found() {
    let is_found = |impl_target: &str, body: &str| {
        let block = syn::parse_str(&format!("impl {impl_target} {{}}"));
        let impl_target = block.ok().map(|block| ImplTarget::new(&block));
        let tokens: TokenStream = body.parse().expect("tokens");
        let tokens = FunctionTokens::of_item(&tokens);
        may_contain_itself(
            "bytes",
            impl_target.as_ref(),
            &tokens,
            [false, true],
            || true,
        )
    };
    for body in [
        "fn bytes() { pinned(Self::bytes(1)).await }",
        "fn bytes(&self) { pinned(self.bytes()).await }",
        "fn bytes(self: Arc<Self>) { pinned(self.clone().bytes()).await }",
        "fn bytes() { return Own::bytes().await }",
        "fn bytes() { crate::Own::bytes().await }",
        "fn bytes() { Own::<u32>::bytes().await }",
        "fn bytes() { <Own<u32>>::bytes().await }",
    ] {
        assert!(is_found("Own<u32>", body), "{body}");
    }
    for body in [
        "fn bytes(&self) { bytes(1).await }",
        "fn bytes() { self::bytes(1).await }",
        "fn bytes() { Vec::bytes(1).await }",
        "fn bytes(&self) { self.inner.bytes().await }",
        "fn bytes(&self) { self.inner().bytes().await }",
        "fn bytes() { net::Own::bytes(a).await }",
    ] {
        assert!(!is_found("Own<u32>", body), "{body}");
    }
    for body in [
        "fn bytes() { pinned(bytes(1)).await }",
        "fn bytes() { pinned(super::bytes()).await }",
        "fn bytes() { keep(Kept { next: bytes() }).await }",
        "fn bytes() { read().boxed().await }",
        "fn bytes() -> Vec<u8> { let next: Box<dyn Future<Output = ()> + Send> = Box::pin(bytes()); }",
        "fn bytes(f: Box<dyn Fn() -> Box<dyn Future<Output = ()> + Send>>) { Box::pin(f()).await }",
    ] {
        assert!(is_found("", body), "{body}");
    }
    for body in [
        "fn bytes() { body.collect().await.bytes() }",
        "fn bytes() { body.bytes().await }",
        "fn bytes() { let bytes = (1); }",
        "fn bytes() { std::mem::bytes(a, b); read().await }",
        "fn bytes() { net::Stream::bytes(a).await }",
        "fn bytes() { Stream::bytes(a).await }",
        "fn bytes() { let next: Pin<Box<dyn Future<Output = u32> + '_>> = Box::pin(bytes()); }",
        "fn bytes() { (Box::pin(bytes()) as Pin<Box<dyn core::future::Future<Output = T>>>).await }",
    ] {
        assert!(!is_found("", body), "{body}");
    }
}
