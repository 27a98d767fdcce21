import { Readable, Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { outcomeText, TerminalSizes, type CommandRequest, type CommandWire } from './command.js';

const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
const READ_AHEAD_BYTES = 256 * 1024;
const NORMAL_CLOSURE = 1000;
const ZERO = 0x30;

/** The subprotocols of exec and attach over WebSocket; no name at all means the oldest. */
export const WEBSOCKET_COMMAND_PROTOCOLS: readonly string[] = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  'channel.k8s.io',
  'base64.channel.k8s.io',
];

/** Channels over one WebSocket: the first byte of a message is its channel. */
class Channels {
  readonly #socket: WebSocket;
  readonly #isBase64: boolean;

  constructor(socket: WebSocket, isBase64: boolean) {
    this.#socket = socket;
    this.#isBase64 = isBase64;
  }

  send(channel: number, bytes: Uint8Array, done: (error?: Error | null) => void): void {
    if (this.#isBase64) {
      const text = String.fromCharCode(ZERO + channel) + Buffer.from(bytes).toString('base64');
      return this.#socket.send(text, { binary: false }, done);
    }
    const message = Buffer.allocUnsafe(bytes.length + 1);
    message[0] = channel;
    message.set(bytes, 1);
    this.#socket.send(message, { binary: true }, done);
  }

  /** The channel and its data. */
  read(message: Buffer): { readonly channel: number; readonly bytes: Buffer } {
    const first = message[0] ?? CHANNEL.close;
    const rest = message.subarray(1);
    if (!this.#isBase64) return { channel: first, bytes: rest };
    return { channel: first - ZERO, bytes: Buffer.from(rest.toString('latin1'), 'base64') };
  }
}

/** The streams of a command over a WebSocket that is open. */
export function commandOverWebSocket(socket: WebSocket, request: CommandRequest, protocol: string): CommandWire {
  const channels = new Channels(socket, protocol.includes('base64'));
  const isStructured = /^v[45]\./.test(protocol);
  const gone = new AbortController();
  const sizes = new TerminalSizes();
  const stdin = request.stdin
    ? new Readable({ highWaterMark: READ_AHEAD_BYTES, read: () => socket.resume() })
    : undefined;
  const stdout = request.stdout ? output(channels, CHANNEL.stdout) : undefined;
  const stderr = request.stderr ? output(channels, CHANNEL.stderr) : undefined;
  socket.on('message', (message: Buffer) => {
    const { channel, bytes } = channels.read(message);
    if (channel === CHANNEL.resize) sizes.push(bytes.toString());
    else if (channel === CHANNEL.close && bytes[0] === CHANNEL.stdin) stdin?.push(null);
    else if (channel === CHANNEL.stdin && bytes.length > 0 && stdin?.push(bytes) === false) socket.pause();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    stdin?.push(null);
    for (const each of [stdout, stderr]) each?.destroy();
    gone.abort();
  });
  // An empty message signals the client that all is set up.
  const first = request.stdout ? CHANNEL.stdout : request.stderr ? CHANNEL.stderr : CHANNEL.error;
  channels.send(first, Buffer.alloc(0), () => {});
  return {
    stdin,
    stdout,
    stderr,
    sizes,
    signal: gone.signal,
    async finish(outcome) {
      const text = Buffer.from(outcomeText(outcome, isStructured));
      if (text.length > 0) await new Promise<void>((resolve) => channels.send(CHANNEL.error, text, () => resolve()));
      // Paused, it would not see the client's farewell.
      socket.resume();
      socket.close(NORMAL_CLOSURE);
    },
  };
}

function output(channels: Channels, channel: number): Writable {
  const stream = new Writable({
    highWaterMark: READ_AHEAD_BYTES,
    write: (chunk: Buffer, _encoding, done) => channels.send(channel, chunk, done),
  });
  stream.on('error', () => {});
  return stream;
}
