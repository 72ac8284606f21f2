//! The server of `shape view`: it serves the page and answers its questions, on the loopback address of this machine.
//!
//! Other programs of the machine, and pages of other sites in the browser, can reach that address too. So a request must
//! have a secret in its path, and name the address itself as its host: a name of somebody's site that leads here is refused.

use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read as _};

use bytes::Bytes;
use percent_encoding::percent_decode_str;
use tiny_http::{Header, Method, Request, Response, Server};

use super::page::{Engine, html};
use super::session::Session;
use crate::guard::guarded;

/// The most bytes of a model that the page sends; larger ones are named on the command line.
const MAX_MODEL: u64 = 2 << 30;

/// The most bytes of a question.
const MAX_QUESTION: u64 = 1 << 20;

/// A server that waits for requests.
pub(super) struct PageServer {
    server: Server,
    /// The host that each request must name.
    host: String,
    /// The path before all others, with a secret.
    root: String,
}

/// What a request is answered with: a status, the type of the content, and the content.
type Reply = (u16, &'static str, Vec<u8>);

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

impl PageServer {
    /// Waits on a port, or on a free one.
    ///
    /// # Errors
    /// Why the port cannot be had.
    pub(super) fn bind(port: u16) -> Result<Self, String> {
        let server = Server::http(("127.0.0.1", port)).map_err(|error| format!("cannot serve the page: {error}"))?;
        let port = server.server_addr().to_ip().map_or(port, |address| address.port());
        Ok(Self { server, host: format!("127.0.0.1:{port}"), root: format!("/{}/", secret()) })
    }

    /// Where the page is.
    pub(super) fn url(&self) -> String {
        format!("http://{}{}", self.host, self.root)
    }

    /// Answers requests until the process ends.
    ///
    /// # Errors
    /// Why no more requests come.
    pub(super) fn serve(&self, session: &mut Session) -> io::Result<()> {
        loop {
            let mut request = self.server.recv()?;
            let (status, content_type, content) = self.reply(&mut request, session);
            let headers = [
                ("Content-Type", content_type),
                ("Cache-Control", "no-store"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
                ("Referrer-Policy", "no-referrer"),
                ("X-Content-Type-Options", "nosniff"),
            ];
            let mut response = Response::from_data(content).with_status_code(status);
            for (name, value) in headers {
                if let Ok(header) = Header::from_bytes(name, value) {
                    response.add_header(header);
                }
            }
            // A page that is gone needs no answer.
            let _ = request.respond(response);
        }
    }

    fn reply(&self, request: &mut Request, session: &mut Session) -> Reply {
        let host = header(request, "Host");
        if host.as_deref() != Some(&*self.host) {
            return (403, TEXT, b"this server answers for its own address only".to_vec());
        }
        let origin = header(request, "Origin");
        if origin.is_some_and(|origin| origin != format!("http://{}", self.host)) {
            return (403, TEXT, b"another page asks".to_vec());
        }
        let url = request.url().to_owned();
        let Some(path) = url.strip_prefix(&*self.root) else { return (404, TEXT, b"there is nothing here".to_vec()) };
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        match (request.method(), path) {
            (Method::Get, "") => {
                (200, "text/html; charset=utf-8", html(&Engine::Server { url: &self.root }).into_bytes())
            }
            (Method::Get, "bytes") => {
                let model = query.strip_prefix("model=").and_then(|model| model.parse().ok());
                match model.and_then(|model| session.bytes(model)) {
                    Some(bytes) => (200, "application/octet-stream", bytes.to_vec()),
                    None => (404, TEXT, b"no such model is open".to_vec()),
                }
            }
            (Method::Post, "ask") => {
                answered(read(request, MAX_QUESTION), |question| session.ask(&String::from_utf8_lossy(&question)))
            }
            (Method::Post, "open") => {
                let name = percent_decode_str(query.strip_prefix("name=").unwrap_or(query)).decode_utf8_lossy();
                answered(read(request, MAX_MODEL), |model| session.open(&name, Bytes::from(model), []))
            }
            _ => (404, TEXT, b"there is nothing here".to_vec()),
        }
    }
}

/// What is said of the content of a request; a panic is an answer too, and the next request finds the models as they were.
fn answered(content: Result<Vec<u8>, String>, say: impl FnOnce(Vec<u8>) -> String) -> Reply {
    let said = content.and_then(|content| {
        guarded(|| say(content)).map_err(|panic| format!("this is a fault of shape, please report it: {panic}"))
    });
    let said = said.unwrap_or_else(|error| serde_json::json!({ "error": error }).to_string());
    (200, JSON, said.into_bytes())
}

/// The content of a request of at most so many bytes.
fn read(request: &mut Request, most: u64) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    let read = request.as_reader().take(most + 1).read_to_end(&mut content);
    read.map_err(|error| format!("the page was not understood: {error}"))?;
    if content.len() as u64 > most {
        return Err(format!("it has more than {most} bytes; open it with `shape view FILE`"));
    }
    Ok(content)
}

fn header(request: &Request, name: &'static str) -> Option<String> {
    let header = request.headers().iter().find(|header| header.field.equiv(name))?;
    Some(header.value.to_string())
}

/// What nobody else can guess: the numbers that the standard library seeds its hash tables with.
fn secret() -> String {
    let number = || RandomState::new().hash_one(0_u8);
    format!("{:016x}{:016x}", number(), number())
}
