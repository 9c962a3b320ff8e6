//! gRPC by tonic: a method with one answer and one with many, in the form that tonic generates.
//!
//! In a program with a `.proto` file, tonic's build script writes all of this except the two
//! functions of the service. The server is that of `volt_hyper`. The client of tonic connects by
//! the connector of `volt_hyper`.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_lite::Stream;
use futures_lite::stream::unfold;
use tonic::body::Body;
use tonic::codegen::http;
use tonic::server::{Grpc, NamedService, ServerStreamingService, UnaryService};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;
use volt::net::TcpListener;
use volt::time::sleep;

/// A text, and the number of its repetitions.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Said {
    #[prost(string, tag = "1")]
    pub text: String,
    #[prost(uint32, tag = "2")]
    pub times: u32,
}

const ONCE: &str = "/volt.Echo/Once";
const MANY: &str = "/volt.Echo/Many";

/// The most answers to one request.
const MOST: u32 = 10_000;

/// The service: it has no state, so each connection has one of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Echo;

impl NamedService for Echo {
    const NAME: &'static str = "volt.Echo";
}

type Answers = Pin<Box<dyn Stream<Item = Result<Said, Status>> + Send>>;

impl UnaryService<Said> for Echo {
    type Response = Said;
    type Future = Ready<Result<Response<Said>, Status>>;

    fn call(&mut self, request: Request<Said>) -> Self::Future {
        ready(Ok(Response::new(request.into_inner())))
    }
}

impl ServerStreamingService<Said> for Echo {
    type Response = Said;
    type ResponseStream = Answers;
    type Future = Ready<Result<Response<Answers>, Status>>;

    fn call(&mut self, request: Request<Said>) -> Self::Future {
        let said = request.into_inner();
        if said.times > MOST {
            let refusal = format!("{} answers at most", MOST);
            return ready(Err(Status::invalid_argument(refusal)));
        }
        let answers = unfold(0, move |number| {
            let answer = Said {
                text: said.text.clone(),
                times: number,
            };
            let last = said.times;
            async move {
                if number == last {
                    return None;
                }
                // As one who has to look for each answer would take his time.
                sleep(Duration::from_micros(50)).await;
                Some((Ok(answer), number + 1))
            }
        });
        ready(Ok(Response::new(Box::pin(answers))))
    }
}

impl<B> tonic::codegen::Service<http::Request<B>> for Echo
where
    B: tonic::codegen::Body + Send + 'static,
    B::Error: Into<tonic::codegen::StdError> + Send + 'static,
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        Box::pin(async move {
            let mut grpc = Grpc::new(ProstCodec::default());
            Ok(match request.uri().path() {
                ONCE => grpc.unary(Echo, request).await,
                MANY => grpc.server_streaming(Echo, request).await,
                _ => Status::unimplemented("there is no such method").into_http(),
            })
        })
    }
}

/// Serves until `end` is ready, and the calls that have come by then.
pub async fn serve(listener: TcpListener, end: impl Future<Output = ()> + Send + 'static) {
    volt_hyper::serve(listener, Echo).until(end).await;
}

/// Calls the service.
#[derive(Clone, Debug)]
pub struct Client {
    channel: Channel,
}

impl Client {
    /// Connects to the service at this address.
    pub async fn connect(address: std::net::SocketAddr) -> Result<Self, tonic::transport::Error> {
        // With an executor and a connector of volt's, tonic needs no tokio.
        let endpoint = Endpoint::from_shared(format!("http://{address}"))?
            .executor(volt_hyper::Executor::new());
        let connector = volt_hyper::Connector::new().nodelay(true);
        let channel = endpoint.connect_with_connector(connector).await?;
        Ok(Self { channel })
    }

    async fn ready(&self) -> Result<tonic::client::Grpc<Channel>, Status> {
        let mut grpc = tonic::client::Grpc::new(self.channel.clone());
        grpc.ready()
            .await
            .map_err(|error| Status::unavailable(error.to_string()))?;
        Ok(grpc)
    }

    /// Has it repeated once.
    pub async fn once(&self, said: Said) -> Result<Said, Status> {
        let codec: ProstCodec<Said, Said> = ProstCodec::default();
        let path = http::uri::PathAndQuery::from_static(ONCE);
        let mut grpc = self.ready().await?;
        let answer = grpc.unary(Request::new(said), path, codec).await?;
        Ok(answer.into_inner())
    }

    /// Requests the repetitions of a text.
    pub async fn many(&self, said: Said) -> Result<Vec<Said>, Status> {
        let codec: ProstCodec<Said, Said> = ProstCodec::default();
        let path = http::uri::PathAndQuery::from_static(MANY);
        let mut grpc = self.ready().await?;
        let answers = grpc
            .server_streaming(Request::new(said), path, codec)
            .await?;
        let mut answers = answers.into_inner();
        let mut all = Vec::new();
        while let Some(answer) = answers.message().await? {
            all.push(answer);
        }
        Ok(all)
    }
}
