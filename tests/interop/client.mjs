// The official JavaScript clients against a server: each check once per client, era and transport.
//
// usage: client.mjs --stdio PROGRAM --http URL
//
// Prints one line a check and ends with code 1 at the first that fails. The checks run with `@modelcontextprotocol/client`
// in both eras and with `@modelcontextprotocol/sdk` 1.x, which speaks the handshake only.

import { parseArgs } from 'node:util';

import * as current from '@modelcontextprotocol/client';
import { StdioClientTransport as CurrentStdio } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';
/** Milliseconds for one leg; a client that waits forever is a failure as well. */
const PATIENCE = 60_000;
const INFO = { name: 'libmcp-interop', version: '1.0.0' };
const CAPABILITIES = { elicitation: { form: {} } };

const { values: options } = parseArgs({ options: { stdio: { type: 'string' }, http: { type: 'string' } } });
if (!options.stdio || !options.http) {
  console.error('usage: client.mjs --stdio PROGRAM --http URL');
  process.exit(2);
}

/** A client of the current package, negotiating as `mode` says. */
function currentClient(mode) {
  const client = new current.Client(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
  return {
    client,
    onElicit: handler => client.setRequestHandler('elicitation/create', handler),
    onToolsChanged: handler => client.setNotificationHandler('notifications/tools/list_changed', handler),
    version: transport => client.getNegotiatedProtocolVersion() ?? transport.protocolVersion,
    callTool: (params, extra) => client.callTool(params, extra),
    transport: kind =>
      kind === 'stdio'
        ? new CurrentStdio({ command: options.stdio, args: ['--stdio'] })
        : new current.StreamableHTTPClientTransport(new URL(options.http))
  };
}

/** A client of the first generation. */
function firstClient() {
  const client = new FirstClient(INFO, { capabilities: CAPABILITIES });
  return {
    client,
    onElicit: handler => client.setRequestHandler(ElicitRequestSchema, handler),
    onToolsChanged: handler => client.setNotificationHandler(ToolListChangedNotificationSchema, handler),
    // Over stdio this client keeps the version to itself; a connection that stands has a version that it knows.
    version: transport => transport.protocolVersion ?? LEGACY,
    callTool: (params, extra) => client.callTool(params, undefined, extra),
    transport: kind =>
      kind === 'stdio'
        ? new FirstStdio({ command: options.stdio, args: ['--stdio'] })
        : new FirstHttp(new URL(options.http))
  };
}

class Leg {
  constructor(name, kind, made, version) {
    Object.assign(this, { name, kind, made, version, client: made.client, questions: [], changes: 0 });
  }

  check(what, holds, seen) {
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${this.name}: ${what}`);
    if (!holds) throw new Error(`${what}; seen: ${JSON.stringify(seen)}`);
  }

  async text(name, args = {}, extra) {
    return textOf(await this.made.callTool({ name, arguments: args }, extra));
  }

  async run() {
    this.made.onElicit(async request => {
      const params = request.params;
      this.questions.push(params.message);
      const fields = Object.keys(params.requestedSchema?.properties ?? {});
      return { action: 'accept', content: Object.fromEntries(fields.map(field => [field, 'Ada'])) };
    });
    this.made.onToolsChanged(async () => {
      this.changes += 1;
    });
    const transport = this.made.transport(this.kind);
    this.transport = transport;
    await this.client.connect(transport);
    try {
      const version = this.made.version(transport);
      this.check(`speaks ${this.version}`, version === this.version, version);
      await this.lists();
      await this.tools();
      await this.errors();
      await this.progress();
      await this.elicitation();
      await this.listChanges();
      if (this.kind === 'http' && this.version === LEGACY) {
        await transport.terminateSession();
        this.check('ends its session', true);
      }
    } finally {
      await this.client.close();
    }
  }

  async lists() {
    const tools = (await this.client.listTools()).tools.map(tool => tool.name);
    const wanted = ['echo', 'add', 'progress', 'ask_name', 'ask_twice', 'notify', 'test_simple_text'];
    const missing = wanted.filter(name => !tools.includes(name));
    this.check('lists the tools', missing.length === 0, missing);
    const resources = (await this.client.listResources()).resources.map(resource => resource.uri);
    this.check('lists the resources', resources.includes('test://static-text'), resources);
    const { contents } = await this.client.readResource({ uri: 'test://static-text' });
    this.check('reads a resource', contents.length === 1 && contents[0].text.length > 0, contents);
    const prompts = (await this.client.listPrompts()).prompts.map(prompt => prompt.name);
    this.check('lists the prompts', prompts.includes('test_simple_prompt'), prompts);
    const { messages } = await this.client.getPrompt({ name: 'test_simple_prompt' });
    this.check('gets a prompt', messages.length >= 1 && messages[0].content.text.length > 0, messages);
  }

  async tools() {
    const text = 'Grüße, 世界 \u{1f600} " \\ \n end';
    const echoed = await this.text('echo', { text });
    this.check('echo keeps the text', echoed === text, echoed);
    const large = 'x'.repeat(200_000);
    this.check('echo keeps a large text', (await this.text('echo', { text: large })) === large);
    const sum = await this.text('add', { a: 2, b: 3 });
    this.check('add adds', sum.includes('5'), sum);
    const numbers = Array.from({ length: 20 }, (_, number) => String(number));
    const seen = await Promise.all(numbers.map(text => this.text('echo', { text })));
    this.check('20 calls at once each get their own answer', seen.join() === numbers.join(), seen);
  }

  async errors() {
    const code = await this.text('no_such_tool').then(
      text => `a result: ${text}`,
      error => error.code
    );
    this.check('an unknown tool is invalid params', code === -32602, code);
    const wrong = await this.made.callTool({ name: 'echo', arguments: { text: 5 } });
    this.check('wrong arguments are a tool error', wrong.isError === true, wrong);
    const crashed = await this.made.callTool({ name: 'boom', arguments: { text: 'secret detail' } });
    this.check('a crashing tool is a tool error', crashed.isError === true, crashed);
    this.check('the server lives on', (await this.text('echo', { text: 'alive' })) === 'alive');
  }

  async progress() {
    // Seen at the transport: these clients drop a notification that arrives in one piece with the result.
    const seen = [];
    const deliver = this.transport.onmessage;
    this.transport.onmessage = (message, extra) => {
      if (message.method === 'notifications/progress') seen.push(message.params.progress);
      deliver.call(this.transport, message, extra);
    };
    await this.text('progress', { n: 3 }, { onprogress: () => {} });
    this.transport.onmessage = deliver;
    const rising = seen.every((value, index) => index === 0 || value > seen[index - 1]);
    this.check('3 progress notifications before the result', seen.length === 3 && rising, seen);
  }

  async elicitation() {
    const once = await this.text('ask_name');
    this.check('ask_name asks and greets', once.includes('Ada') && this.questions.length === 1, [once, this.questions]);
    this.questions.length = 0;
    const twice = await this.text('ask_twice');
    this.check('ask_twice asks two times', twice.includes('Ada') && this.questions.length === 2, [twice, this.questions]);
  }

  async listChanges() {
    const subscription = this.version === MODERN ? await this.client.listen({ toolsListChanged: true }) : undefined;
    // In the handshake era the client opens its stream for such messages in its own time.
    for (let round = 0; round < 50 && this.changes === 0; round += 1) {
      await this.text('notify', { kind: 'tools' });
      await until(() => this.changes > 0, 200);
    }
    this.check('a change of the tools is announced', this.changes > 0);
    await subscription?.close();
  }
}

function textOf(result) {
  return result.content
    .filter(block => block.type === 'text')
    .map(block => block.text)
    .join('');
}

async function until(holds, milliseconds) {
  const end = Date.now() + milliseconds;
  while (!holds() && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 10));
}

const legs = [];
for (const kind of ['stdio', 'http']) {
  legs.push(new Leg(`js client ${kind} legacy`, kind, currentClient('legacy'), LEGACY));
  legs.push(new Leg(`js client ${kind} ${MODERN}`, kind, currentClient({ pin: MODERN }), MODERN));
  legs.push(new Leg(`js client ${kind} auto`, kind, currentClient('auto'), MODERN));
  legs.push(new Leg(`js sdk ${kind}`, kind, firstClient(), LEGACY));
}
for (const leg of legs) {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`not done after ${PATIENCE / 1000} seconds`)), PATIENCE).unref();
  });
  try {
    await Promise.race([leg.run(), late]);
  } catch (error) {
    console.log(`FAIL ${leg.name}: ${error.stack ?? error}`);
    process.exit(1);
  }
}
console.log(`js: ${legs.length} legs passed`);
process.exit(0);
