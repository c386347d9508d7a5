//! A greenhouse with thermometers: resources that change by themselves, a template with completion, and a prompt.
//!
//! ```text
//! cargo run --example resources
//! ```
//!
//! Then enter, line by line, what a client would send; after the last line a notification comes with every measurement:
//!
//! ```text
//! {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"me","version":"1"}}}
//! {"jsonrpc":"2.0","method":"notifications/initialized"}
//! {"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"greenhouse://bed/basil"}}
//! {"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"greenhouse://bed/basil"}}
//! ```

use std::collections::BTreeMap;
use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use mcp::{
    CompleteRequest, CompleteResult, Error, PromptArgument, PromptArguments, PromptMessage, PromptOptions, ReadRequest,
    ResourceContents, ResourceOptions, Server,
};

/// The temperature of each bed, in tenths of a degree.
struct Greenhouse {
    beds: BTreeMap<&'static str, AtomicI64>,
}

impl Greenhouse {
    fn new() -> Greenhouse {
        Greenhouse { beds: ["basil", "lettuce", "tomatoes"].map(|bed| (bed, AtomicI64::new(210))).into() }
    }

    fn overview(&self, uri: &str) -> Result<ResourceContents, Error> {
        let lines: Vec<_> = self.beds.keys().filter_map(|bed| self.temperature(bed)).collect();
        Ok(ResourceContents::text(uri, lines.join("\n")).with_mime_type("text/plain"))
    }

    fn bed(&self, request: &ReadRequest) -> Result<ResourceContents, Error> {
        let bed = request.variables.get("bed").map(String::as_str).unwrap_or_default();
        let text = self.temperature(bed).ok_or_else(|| Error::resource_not_found(&request.uri))?;
        Ok(ResourceContents::text(&request.uri, text).with_mime_type("text/plain"))
    }

    fn care(&self, arguments: &PromptArguments) -> Result<PromptMessage, Error> {
        let bed = arguments.get("bed").map(String::as_str).unwrap_or_default();
        let text = self.temperature(bed).ok_or_else(|| Error::invalid_params(format!("There is no bed \"{bed}\"")))?;
        Ok(PromptMessage::user(format!("{text} What should I do to keep the plants well?")))
    }

    /// The template and the prompt both want the name of a bed.
    fn complete(&self, request: &CompleteRequest) -> Result<CompleteResult, Error> {
        let typed = &request.argument.value;
        Ok(CompleteResult::new(self.beds.keys().copied().filter(|bed| bed.starts_with(typed))))
    }

    fn temperature(&self, bed: &str) -> Option<String> {
        let tenths = self.beds.get(bed)?.load(Ordering::Relaxed);
        Some(format!("The bed of {bed} has {}.{} °C.", tenths / 10, tenths % 10))
    }

    /// Changes every temperature a little.
    fn measure(&self, round: i64) {
        for (index, tenths) in (0..).zip(self.beds.values()) {
            tenths.store(210 + (round * 7 + index * 13) % 20, Ordering::Relaxed);
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let greenhouse = Arc::new(Greenhouse::new());
    let server = build(&greenhouse)?;
    tokio::spawn(keep_measuring(greenhouse, server.clone()));
    server.serve_stdio().await?;
    Ok(())
}

fn build(greenhouse: &Arc<Greenhouse>) -> Result<Server, mcp::ConfigError> {
    let house = || Arc::clone(greenhouse);
    let text = |what: &str| ResourceOptions::new().description(what).mime_type("text/plain");
    let (overview, bed, care, complete) = (house(), house(), house(), house());
    let bed_argument = PromptArgument::required("bed").description("Which bed");
    Server::builder("greenhouse", "1.0")
        .resource("overview", "greenhouse://overview", text("All temperatures"), move |request, _ctx| {
            ready(overview.overview(&request.uri))
        })
        .resource_template("bed", "greenhouse://bed/{bed}", text("The temperature of a bed"), move |request, _ctx| {
            ready(bed.bed(&request))
        })
        .prompt(
            "care",
            PromptOptions::new().description("Asks for advice").argument(bed_argument),
            move |args, _ctx| ready(care.care(&args)),
        )
        .completion(move |request, _ctx| ready(complete.complete(&request)))
        .build()
}

/// Measures every two seconds and tells the clients that watch; nothing is sent to those who don't.
async fn keep_measuring(greenhouse: Arc<Greenhouse>, server: Server) {
    let mut clock = tokio::time::interval(Duration::from_secs(2));
    for round in 0.. {
        clock.tick().await;
        greenhouse.measure(round);
        server.notify_resource_updated("greenhouse://overview");
        for bed in greenhouse.beds.keys() {
            server.notify_resource_updated(&format!("greenhouse://bed/{bed}"));
        }
    }
}
