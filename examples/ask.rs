//! One handler that asks the client two questions, and a client of each era that answers them.
//!
//! Everything happens in this process, and each message is printed as it travels:
//!
//! ```text
//! cargo run --example ask
//! ```
#![allow(clippy::print_stdout, reason = "the protocol does not use this program's standard output")]

use mcp::{Context, CreateMessageRequest, ElicitAction, ElicitRequest, HandlerError, RawJson, Server, ToolOptions};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader, Lines};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// What the form asks for.
#[derive(Deserialize)]
struct Order {
    topping: String,
}

/// Runs once for each round, from its start: an `ask` whose answer is missing ends the round. So it is the last line,
/// with all answers at hand, that may have an effect.
async fn order(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let form = json!({"type": "object", "properties": {"topping": {"type": "string"}}, "required": ["topping"]});
    let answer = ctx.ask("topping", ElicitRequest::form("What would you like on your pizza?", form))?;
    let (ElicitAction::Accept, Some(form)) = (answer.action, answer.content) else {
        return Ok("No pizza, then.".into());
    };
    let Order { topping } = form.deserialize()?;

    let question = format!("Name a pizza with {topping}. Answer with the name only.");
    let name = ctx.ask("name", CreateMessageRequest::new(20).user(question))?.text().unwrap_or_default();

    Ok(format!("One pizza \"{name}\" with {topping} is on its way."))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let server = Server::builder("pizzeria", "1.0")
        .raw_tool("order", ToolOptions::new().description("Takes an order"), order)
        .build()?;
    println!("A modern client is told what to ask, and sends its request again with the answers:\n");
    modern_client(&server).await?;
    println!("\nA legacy client is asked by the server while its request waits:\n");
    legacy_client(&server).await
}

/// Each request stands alone: what the server must remember, it gives to the client.
async fn modern_client(server: &Server) -> Outcome<()> {
    let mut params = json!({"name": "order", "arguments": {}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "1.0"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "sampling": {}}
    }});
    for id in 1.. {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string();
        println!("client: {request}");
        let response = server.dispatch(request).await.ok_or("there is no answer")?;
        println!("server: {}", String::from_utf8_lossy(&response));
        let result = serde_json::from_slice::<Value>(&response)?["result"].take();
        if result["resultType"] != "input_required" {
            break;
        }
        params["inputResponses"] = json!({});
        for (key, question) in result["inputRequests"].as_object().into_iter().flatten() {
            params["inputResponses"][key] = answer(question);
        }
        if let Some(state) = result.get("requestState") {
            params["requestState"] = state.clone();
        }
    }
    Ok(())
}

/// The connection is a session, through which the server sends requests of its own.
async fn legacy_client(server: &Server) -> Outcome<()> {
    let (reader, mut writer) = tokio::io::split(server.memory_pair());
    let mut lines = BufReader::new(reader).lines();
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "clientInfo": {"name": "legacy", "version": "1.0"},
        "capabilities": {"elicitation": {}, "sampling": {}}
    });
    let mut next = vec![json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})];
    loop {
        for message in next.drain(..) {
            println!("client: {message}");
            writer.write_all(format!("{message}\n").as_bytes()).await?;
        }
        let message = read(&mut lines).await?;
        match (message["method"].is_string(), message["id"].as_u64()) {
            // The server asks.
            (true, _) => next.push(json!({"jsonrpc": "2.0", "id": message["id"], "result": answer(&message)})),
            // The answer to the handshake.
            (false, Some(1)) => {
                let params = json!({"name": "order", "arguments": {}});
                next.push(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
                next.push(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}));
            }
            _ => return Ok(()),
        }
    }
}

async fn read(lines: &mut Lines<BufReader<impl AsyncRead + Unpin>>) -> Outcome<Value> {
    let line = lines.next_line().await?.ok_or("the server closed the connection")?;
    println!("server: {line}");
    Ok(serde_json::from_str(&line)?)
}

/// What the person and the model at the client say.
fn answer(question: &Value) -> Value {
    if question["method"] == "elicitation/create" {
        json!({"action": "accept", "content": {"topping": "mushrooms"}})
    } else {
        json!({"role": "assistant", "model": "small-1", "content": {"type": "text", "text": "Forest Floor"}})
    }
}
