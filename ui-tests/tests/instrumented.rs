//! Methods of traits under `#[instrument]`, or with events of tracing in their bodies.
#![forbid(unsafe_code)]

use std::fmt::{Debug, Write};
use std::future::{Future, ready};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber, instrument};

fn finish<F: Future>(future: F) -> F::Output {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).as_mut().poll(&mut context) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing to wait for"),
    }
}

/// Stores the name and the fields of each span, and the fields of each event.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<String>>);

struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

impl Subscriber for Spans {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut text = self.0.lock().unwrap();
        text.push_str(span.metadata().name());
        span.record(&mut Fields(&mut text));
        text.push(';');
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut text = self.0.lock().unwrap();
        event.record(&mut Fields(&mut text));
        text.push(';');
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Runs the future, and returns the spans and events that it created.
fn spans_of(future: impl Future<Output = u32>) -> String {
    let spans = Spans::default();
    tracing::subscriber::with_default(spans.clone(), || assert_eq!(finish(future), 7));
    std::mem::take(&mut spans.0.lock().unwrap())
}

#[derive(Debug)]
struct Page(u32);

impl Page {
    const SIZE: u32 = 4;
}

trait Load {
    async fn whole(&self, size: u32) -> u32;
    async fn skipped(&self, size: u32) -> u32;
    async fn chosen(&mut self) -> u32;
    async fn shared(self: Arc<Self>) -> u32;
    async fn free(size: u32) -> u32;
    async fn conditional(&self) -> u32;
    async fn disabled(&self) -> u32;
}

#[volt::state_machine]
impl Load for Page {
    #[instrument]
    async fn whole(&self, size: u32) -> u32 {
        ready(self.0 + size).await
    }
    #[instrument(skip(self))]
    async fn skipped(&self, size: u32) -> u32 {
        ready(self.0 + size).await
    }
    #[instrument(skip_all, fields(number = self.0, size = Self::SIZE))]
    async fn chosen(&mut self) -> u32 {
        self.0 += 1;
        ready(self.0).await
    }
    #[instrument(skip(self), fields(number = self.0))]
    async fn shared(self: Arc<Self>) -> u32 {
        ready(self.0).await
    }
    #[instrument(fields(all = Self::SIZE))]
    async fn free(size: u32) -> u32 {
        ready(size).await
    }
    #[cfg_attr(all(), instrument(skip(self), fields(number = self.0)))]
    async fn conditional(&self) -> u32 {
        ready(self.0).await
    }
    #[cfg_attr(any(), instrument(skip(self), fields(number = self.0)))]
    async fn disabled(&self) -> u32 {
        ready(self.0).await
    }
}

#[test]
fn span_of_trait_method_records_self() {
    assert_eq!(spans_of(Page(5).whole(2)), "whole self=Page(5) size=2;");
    assert_eq!(spans_of(Page::free(7)), "free size=7 all=4;");
}

#[test]
fn span_of_trait_method_skips_self() {
    assert_eq!(spans_of(Page(5).skipped(2)), "skipped size=2;");
}

#[test]
fn span_of_trait_method_uses_self() {
    assert_eq!(spans_of(Page(6).chosen()), "chosen number=6 size=4;");
    assert_eq!(spans_of(Arc::new(Page(7)).shared()), "shared number=7;");
}

#[test]
fn span_under_a_condition_has_its_name() {
    assert_eq!(spans_of(Page(7).conditional()), "conditional number=7;");
    assert_eq!(spans_of(Page(7).disabled()), "");
}

trait Tell {
    async fn tell(&self) -> u32;
}

#[volt::state_machine]
impl Tell for Page {
    async fn tell(&self) -> u32 {
        use tracing::{info, warn};

        info!("first {self:?}");
        ready(()).await;
        warn!(size = 3, "then {self:?} and {}", self.0);
        let texts = volt::future::join(async { format!("{self:?}") }, async {
            format!("{self:?}!")
        });
        let (one, two) = texts.await;
        info!("{one} {two}");
        self.0
    }
}

#[test]
fn event_in_a_trait_method_captures_self() {
    let events =
        " message=first Page(7); message=then Page(7) and 7 size=3; message=Page(7) Page(7)!;";
    assert_eq!(spans_of(Page(7).tell()), events);
}
