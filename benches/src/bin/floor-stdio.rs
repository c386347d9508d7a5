//! A bare line loop: the least that a stdio server for the `echo` tool has to do.
//!
//! Answers every line of stdin on stdout and exits 0 at the end of stdin.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Write};

use libmcp_benches::floor;

const BUFFER: usize = 64 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let mut input = BufReader::with_capacity(BUFFER, io::stdin().lock());
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    let mut answers = Vec::with_capacity(BUFFER);
    while input.read_until(b'\n', &mut line)? > 0 {
        floor::answer(&line, &mut answers)?;
        answers.push(b'\n');
        line.clear();
        // Replies wait only for requests that are already here in full.
        if answers.len() >= BUFFER || !input.buffer().contains(&b'\n') {
            output.write_all(&answers)?;
            output.flush()?;
            answers.clear();
        }
    }
    Ok(())
}
