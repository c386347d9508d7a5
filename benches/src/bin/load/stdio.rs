//! A server over its standard streams: one request in flight, or a fixed number of them.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use libmcp_benches::histogram::Histogram;
use libmcp_benches::message::{self, Message};
use serde_json::{Value, json};

use crate::args::Args;
use crate::proc;

const LONGEST: Duration = Duration::from_secs(300);
const BUFFER: usize = 256 * 1024;
/// More requests than this are not put together into one write.
const BATCH: usize = 256;

/// Runs the load that `args` describes.
pub(crate) fn run(args: &Args) -> Result<Value, String> {
    let requests = args.number("requests")?.unwrap_or(1000).max(1);
    let message = Message::call("echo", message::text(args.count("payload", 100)?));
    let started = Instant::now();
    let (server, input, output) = Server::start(args)?;
    let mut asking = Asking::new(input, output, message);
    let first = asking.first()?;
    let start_us = started.elapsed().as_secs_f64() * 1e6;
    let began = Instant::now();
    let (latencies, wrong) = match args.number("pipelined")? {
        Some(depth) => {
            let (rest, wrong) = asking.pipelined(requests - 1, depth.max(1), first)?;
            asking = rest;
            (None, wrong)
        }
        None => {
            let (latencies, wrong) = asking.sequential(requests - 1, first)?;
            (Some(latencies), wrong)
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    let peak = proc::status_kib(server.pid, "VmHWM")?;
    drop(asking);
    let ended = server.end()?;
    Ok(json!({
        "requests": requests,
        "seconds": seconds,
        "rps": (requests - 1) as f64 / seconds,
        "p50_us": latencies.as_ref().map(|seen| seen.percentile_us(50)),
        "p99_us": latencies.as_ref().map(|seen| seen.percentile_us(99)),
        "errors": wrong + u64::from(!ended),
        "start_us": start_us,
        "peak_rss_kib": peak,
    }))
}

/// The process under load; killed on drop, and when it takes too long.
struct Server {
    pid: u64,
    child: Arc<Mutex<Child>>,
    /// Dropped to call the watchdog off.
    _watched: Sender<()>,
}

impl Server {
    fn start(args: &Args) -> Result<(Self, ChildStdin, ChildStdout), String> {
        let (program, rest) = args.command()?;
        let mut command = Command::new(program);
        command.args(rest).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
        let streams = child.stdin.take().zip(child.stdout.take());
        let pid = child.id().into();
        let child = Arc::new(Mutex::new(child));
        let (watched, called_off) = channel();
        let server = Self { pid, child: Arc::clone(&child), _watched: watched };
        thread::spawn(move || watch(&child, &called_off));
        let (input, output) = streams.ok_or("the server has no standard streams")?;
        Ok((server, input, output))
    }

    /// Waits for the server, whose input is closed; tells whether it exited with 0 in time.
    fn end(&self) -> Result<bool, String> {
        let deadline = Instant::now() + Duration::from_secs(5);
        while Instant::now() < deadline {
            let status = self.child.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
            if let Some(status) = status.map_err(|error| error.to_string())? {
                return Ok(status.success());
            }
            thread::sleep(Duration::from_millis(2));
        }
        Ok(false)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        kill(&self.child);
    }
}

fn watch(child: &Mutex<Child>, called_off: &Receiver<()>) {
    if called_off.recv_timeout(LONGEST) == Err(RecvTimeoutError::Timeout) {
        kill(child);
    }
}

fn kill(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    // Both fail only for a process that has ended and been waited for.
    let _ = child.kill();
    let _ = child.wait();
}

/// Both ends of the server's streams and the line to send.
struct Asking {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    message: Message,
    line: Vec<u8>,
    sent: u64,
}

impl Asking {
    fn new(input: ChildStdin, output: ChildStdout, message: Message) -> Self {
        let mut line = message.body().to_vec();
        line.push(b'\n');
        Self { input, output: BufReader::with_capacity(BUFFER, output), message, line, sent: 0 }
    }

    /// Makes the first round trip, checks the reply and tells its length.
    fn first(&mut self) -> Result<usize, String> {
        let mut reply = Vec::new();
        self.round_trip(&mut reply)?;
        self.message.check(&reply)?;
        Ok(reply.len())
    }

    fn round_trip(&mut self, reply: &mut Vec<u8>) -> Result<(), String> {
        self.message.set_id(&mut self.line, 1, self.sent);
        self.sent += 1;
        self.input.write_all(&self.line).map_err(|error| error.to_string())?;
        reply.clear();
        match self.output.read_until(b'\n', reply) {
            Ok(_) if reply.ends_with(b"\n") => Ok(()),
            Ok(_) => Err("the server ended early".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Asks `requests` times in turn; answers the latencies and how many replies had not the length `wanted`.
    fn sequential(&mut self, requests: u64, wanted: usize) -> Result<(Histogram, u64), String> {
        let mut latencies = Histogram::default();
        let mut reply = Vec::with_capacity(wanted);
        let mut wrong = 0;
        for _ in 0..requests {
            let started = Instant::now();
            self.round_trip(&mut reply)?;
            latencies.record(started.elapsed());
            wrong += u64::from(reply.len() != wanted);
        }
        Ok((latencies, wrong))
    }

    /// Asks `requests` times with `depth` requests in flight; answers itself and 1 when the replies had not the length
    /// `wanted` on the whole.
    fn pipelined(self, requests: u64, depth: u64, wanted: usize) -> Result<(Self, u64), String> {
        let Self { input, mut output, message, line, sent } = self;
        let (credit, credits) = channel();
        let writer = Asker { input, message, line, sent };
        // Of its own, so that a server may stop reading until its replies are read.
        let writer = thread::spawn(move || writer.run(&credits, requests));
        let _ = credit.send(depth);
        let bytes = count_replies(&mut output, &credit, requests)?;
        drop(credit);
        let Asker { input, message, line, sent } = writer.join().map_err(|_| "the writer died")??;
        let wrong = u64::from(bytes != requests * wanted as u64);
        Ok((Self { input, output, message, line, sent }, wrong))
    }
}

/// Reads `requests` lines, passes each on as a credit and answers the bytes of all.
fn count_replies(output: &mut BufReader<ChildStdout>, credit: &Sender<u64>, requests: u64) -> Result<u64, String> {
    let mut buffer = vec![0; BUFFER];
    let (mut replies, mut bytes) = (0, 0);
    while replies < requests {
        let read = output.read(&mut buffer).map_err(|error| error.to_string())?;
        if read == 0 {
            return Err("the server ended early".to_owned());
        }
        bytes += read as u64;
        let lines = buffer.iter().take(read).filter(|byte| **byte == b'\n').count() as u64;
        replies += lines;
        // The writer is gone once it has sent everything.
        let _ = credit.send(lines);
    }
    Ok(bytes)
}

/// The writing half of a pipelined run.
struct Asker {
    input: ChildStdin,
    message: Message,
    line: Vec<u8>,
    sent: u64,
}

impl Asker {
    /// Sends a request for each credit, `requests` in all, as many in one write as there are credits for.
    fn run(mut self, credits: &Receiver<u64>, requests: u64) -> Result<Self, String> {
        let mut left = requests;
        let mut may = 0;
        let mut batch = Vec::new();
        while left > 0 {
            if may == 0 {
                may = credits.recv().map_err(|_| "the server ended early")?;
            }
            may += credits.try_iter().sum::<u64>();
            let now = may.min(left).min(BATCH as u64);
            batch.clear();
            for _ in 0..now {
                self.message.set_id(&mut self.line, 1, self.sent);
                self.sent += 1;
                batch.extend_from_slice(&self.line);
            }
            self.input.write_all(&batch).map_err(|error| error.to_string())?;
            may -= now;
            left -= now;
        }
        Ok(self)
    }
}
