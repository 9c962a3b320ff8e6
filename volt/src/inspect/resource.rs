//! `Resource`: the data behind the paths of the server.

use std::time::{Duration, Instant};

use super::http_request::{HttpMethod, HttpRequest};
pub(super) use super::http_response::ContentType;
use super::http_response::{HttpResponse, PAGE};
use super::library::{LibraryRequest, page_names, page_of};
use super::request_access::AccessRules;

/// The runtime, as the source of the data.
pub(crate) trait InspectSource: Send + 'static {
    /// Returns the text of a resource.
    ///
    /// The thread of the server calls it and holds no lock.
    fn render(&self, resource: &Resource) -> Rendering;
}

/// The text of a resource. It is `None` if there is no such task, group or machine.
pub(crate) enum Rendering {
    Now(Option<String>),
    /// A function that takes long, and is called on another thread.
    Later(Box<dyn FnOnce() -> Option<String> + Send>),
}

/// The function that returns the text of a response.
pub(super) struct RenderJob {
    content_type: ContentType,
    render: Box<dyn FnOnce() -> Option<String> + Send>,
}

#[cfg(all(test, not(any(loom, shuttle))))]
impl RenderJob {
    pub(super) fn new(
        content_type: ContentType,
        render: impl FnOnce() -> Option<String> + Send + 'static,
    ) -> Self {
        let render = Box::new(render);
        Self {
            content_type,
            render,
        }
    }
}

/// The data that a request names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// A dump as text, of all tasks or of the task with this id.
    DumpText(Option<String>),
    /// The tasks of the group with this key, as text.
    GroupText(String),
    /// All tasks as JSON, with their trees of futures or without.
    DumpJson(Trees),
    /// The task with this id as JSON, with the values of its locals.
    TaskJson(String),
    /// The tasks of the group with this id as JSON.
    GroupJson(String),
    /// All parts of a dump but its tasks.
    Groups,
    /// The names of the pages of libraries.
    Pages,
    /// A dump by poll, as text.
    ByPollText(PollRequest),
    /// A dump by poll, as JSON.
    ByPollJson(PollRequest),
    /// The states and transitions of the machine with this name.
    Diagram {
        machine: String,
        /// The file of the machine. Machines of other files can have the same name.
        file: Option<String>,
        /// A task that contains the machine, which need not be registered.
        task: Option<String>,
    },
}

/// A request to poll tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PollRequest {
    /// The maximum time, if the request has one.
    pub(crate) within: Option<Duration>,
    /// The maximum number of tasks, if the request has one.
    pub(crate) limit: Option<usize>,
    /// The id of the only task.
    pub(crate) task: Option<String>,
    /// Orphans are polled too.
    pub(crate) orphans: bool,
}

/// The longest time for which a request may poll tasks. No other request can poll tasks meanwhile.
const MAX_WITHIN: Duration = Duration::from_secs(10);

impl PollRequest {
    /// Returns `None` if a parameter is no number.
    fn of(request: &HttpRequest) -> Option<Self> {
        let number = |key| match request.parameter(key) {
            Some(text) => text.parse().ok().map(Some),
            None => Some(None),
        };
        let within = number("within_ms")?.map(Duration::from_millis);
        Some(Self {
            within: within.map(|within| within.min(MAX_WITHIN)),
            limit: number("limit")?.map(|limit: u64| usize::try_from(limit).unwrap_or(usize::MAX)),
            task: request.parameter("task"),
            orphans: request.parameter("orphans").is_some(),
        })
    }
}

/// The trees of futures in a list of all tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trees {
    Included,
    Omitted,
}

impl Resource {
    fn of(request: &HttpRequest) -> Option<Self> {
        let parameter = |key| request.parameter(key);
        let resource = match &*request.path {
            "/dump.txt" => match (parameter("task"), parameter("group")) {
                (None, Some(group)) => Self::GroupText(group),
                (task, _) => Self::DumpText(task),
            },
            "/dump.json" => {
                if let Some(task) = parameter("task") {
                    Self::TaskJson(task)
                } else if let Some(group) = parameter("group") {
                    Self::GroupJson(group)
                } else if parameter("shallow").is_some() {
                    Self::DumpJson(Trees::Omitted)
                } else {
                    Self::DumpJson(Trees::Included)
                }
            }
            "/groups.json" => Self::Groups,
            "/pages.json" => Self::Pages,
            "/by-poll.txt" => Self::ByPollText(PollRequest::of(request)?),
            "/by-poll.json" => Self::ByPollJson(PollRequest::of(request)?),
            "/diagram.json" => Self::Diagram {
                machine: parameter("machine")?,
                file: parameter("file"),
                task: parameter("task"),
            },
            _ => return None,
        };
        Some(resource)
    }

    fn content_type(&self) -> ContentType {
        match self {
            Self::DumpText(_) | Self::GroupText(_) | Self::ByPollText(_) => ContentType::Text,
            _ => ContentType::Json,
        }
    }

    /// Returns the method of a request for the resource. A dump by poll runs code of the program.
    fn method(&self) -> HttpMethod {
        match self {
            Self::ByPollText(_) | Self::ByPollJson(_) => HttpMethod::Post,
            _ => HttpMethod::Get,
        }
    }
}

/// Answers a request, except one for the page.
pub(super) enum Answer {
    /// A page without its nonce.
    Page(&'static str),
    /// The response is that of a job on another thread.
    Later(RenderJob),
    Other(HttpResponse),
}

pub(super) fn answer(
    request: &HttpRequest,
    rules: &AccessRules,
    source: &dyn InspectSource,
) -> Answer {
    if let Err(refusal) = rules.check_origin(request) {
        return Answer::Other(refusal);
    }
    if request.path == "/" && request.method == HttpMethod::Get {
        // The page and the manual contain no data of the runtime, so they need no token.
        let accept = request.accept.as_deref().unwrap_or_default();
        return if accept.contains("text/html") {
            Answer::Page(PAGE)
        } else {
            Answer::Other(HttpResponse::manual())
        };
    }
    if let Some((name, path)) = request.path[1..].split_once('/') {
        return library(request, rules, name, path).unwrap_or_else(Answer::Other);
    }
    let data = rules
        .check_token(request)
        .and_then(|()| data(request, source));
    data.unwrap_or_else(Answer::Other)
}

/// Answers a request for the page of a library, its data or its actions.
fn library(
    request: &HttpRequest,
    rules: &AccessRules,
    name: &str,
    path: &str,
) -> Result<Answer, HttpResponse> {
    let is_page = path.is_empty() && request.method == HttpMethod::Get;
    if !is_page {
        rules.check_token(request)?;
    }
    let page = page_of(name)
        .ok_or_else(|| HttpResponse::error("404 Not Found", "There is no such page."))?;
    if is_page {
        return Ok(Answer::Page(page.html()));
    }
    let call = LibraryRequest::new(path, request.parameters(), rules.shows_values());
    let render: Box<dyn FnOnce() -> Option<String> + Send> = match request.method {
        HttpMethod::Get => Box::new(move || page.data(&call)),
        HttpMethod::Post => {
            rules.check_action()?;
            Box::new(move || page.act(&call))
        }
    };
    Ok(Answer::Later(RenderJob {
        content_type: ContentType::Json,
        render,
    }))
}

fn data(request: &HttpRequest, source: &dyn InspectSource) -> Result<Answer, HttpResponse> {
    let missing = |text| HttpResponse::error("404 Not Found", text);
    let resource = Resource::of(request).ok_or_else(|| {
        missing(
            "There is no such path, or a parameter is invalid. Request `/` for the list of paths.",
        )
    })?;
    if resource.method() != request.method {
        return Err(wrong_method(resource.method()));
    }
    let (begin, content_type) = (Instant::now(), resource.content_type());
    if resource == Resource::Pages {
        return Ok(Answer::Other(response(
            content_type,
            Some(page_names()),
            begin,
        )));
    }
    Ok(match source.render(&resource) {
        Rendering::Now(text) => Answer::Other(response(content_type, text, begin)),
        Rendering::Later(render) => Answer::Later(RenderJob {
            content_type,
            render,
        }),
    })
}

/// Returns the response of a job.
pub(super) fn rendered(job: RenderJob) -> HttpResponse {
    let begin = Instant::now();
    response(job.content_type, (job.render)(), begin)
}

fn response(content_type: ContentType, text: Option<String>, begin: Instant) -> HttpResponse {
    match text {
        Some(text) => HttpResponse::ok(content_type, text).with_timing(begin.elapsed()),
        None => HttpResponse::error(
            "404 Not Found",
            "There is no such task, group, machine or data.",
        ),
    }
}

fn wrong_method(expected: HttpMethod) -> HttpResponse {
    let (text, allow) = match expected {
        HttpMethod::Get => ("Request this path by GET.", "Allow: GET\r\n"),
        HttpMethod::Post => (
            "Request this path by POST: it polls tasks of the program.",
            "Allow: POST\r\n",
        ),
    };
    HttpResponse::error("405 Method Not Allowed", text).with_header(allow)
}

#[cfg(test)]
mod tests {
    use super::{Duration, PollRequest, Resource, Trees};
    use crate::inspect::http_request::HttpRequest;

    fn resource(path: &str, query: &str) -> Option<Resource> {
        Resource::of(&HttpRequest {
            path: path.to_owned(),
            query: query.to_owned(),
            ..HttpRequest::default()
        })
    }

    #[test]
    fn paths_name_resources() {
        let id = || "7.1".to_owned();
        let named = [
            ("/dump.txt", "", Resource::DumpText(None)),
            ("/dump.txt", "task=7.1", Resource::DumpText(Some(id()))),
            ("/dump.txt", "group=7.1", Resource::GroupText(id())),
            ("/dump.json", "", Resource::DumpJson(Trees::Included)),
            ("/dump.json", "shallow", Resource::DumpJson(Trees::Omitted)),
            ("/dump.json", "task=7.1", Resource::TaskJson(id())),
            ("/dump.json", "group=7.1", Resource::GroupJson(id())),
            ("/groups.json", "", Resource::Groups),
        ];
        let diagram = Resource::Diagram {
            machine: "Read<T>".to_owned(),
            file: Some("src/main.rs".to_owned()),
            task: None,
        };
        let query = "machine=Read%3CT%3E&file=src/main.rs";
        assert_eq!(resource("/diagram.json", query), Some(diagram));
        for (path, query, expected) in named {
            assert_eq!(resource(path, query), Some(expected), "{path}?{query}");
        }
    }

    #[test]
    fn unknown_path_is_none() {
        for path in [
            "/dump",
            "/dump.json/",
            "//dump.json",
            "/../dump.json",
            "/diagram.json",
        ] {
            assert_eq!(resource(path, ""), None, "{path}");
        }
    }

    #[test]
    fn poll_request_has_limits() {
        let expected = |within: Option<u64>, limit, task: Option<&str>| {
            Some(Resource::ByPollJson(PollRequest {
                within: within.map(Duration::from_millis),
                limit,
                task: task.map(str::to_owned),
                orphans: false,
            }))
        };
        let path = "/by-poll.json";
        assert_eq!(resource(path, ""), expected(None, None, None));
        let query = "within_ms=50&limit=7&task=3.1";
        assert_eq!(
            resource(path, query),
            expected(Some(50), Some(7), Some("3.1"))
        );
        assert_eq!(
            resource(path, "within_ms=3600000"),
            expected(Some(10_000), None, None)
        );
        assert_eq!(resource(path, "limit=all"), None);
        let with_orphans = resource(path, "task=3.1&orphans");
        assert!(matches!(
            with_orphans,
            Some(Resource::ByPollJson(PollRequest { orphans: true, .. }))
        ));
    }
}
