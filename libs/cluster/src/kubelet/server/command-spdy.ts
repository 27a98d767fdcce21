import type { Duplex } from 'node:stream';
import { ended, outcomeText, TerminalSizes, type CommandRequest, type CommandWire } from './command.js';
import { SpdyConnection } from './spdy/connection.js';
import type { SpdyStream } from './spdy/stream.js';

/** How long a client may take to open the streams it announced. */
const STREAM_CREATION_MS = 30_000;
const STREAM_TYPES: ReadonlySet<string> = new Set(['error', 'stdin', 'stdout', 'stderr', 'resize']);

/** Streaming protocols of exec and attach, the best first. The fifth is the fourth with closes, which SPDY always had. */
export const COMMAND_PROTOCOLS: readonly string[] = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];

const STRUCTURED: ReadonlySet<string> = new Set(COMMAND_PROTOCOLS.slice(0, 2));
const RESIZING: ReadonlySet<string> = new Set(COMMAND_PROTOCOLS.slice(0, 3));

/** Waits for the streams of a command; undefined when they do not come. */
export async function commandOverSpdy(
  socket: Duplex,
  request: CommandRequest,
  protocol: string,
): Promise<CommandWire | undefined> {
  const found = new Map<string, SpdyStream>();
  const wanted = wantedStreams(request, RESIZING.has(protocol));
  let settle: (isComplete: boolean) => void = () => {};
  const complete = new Promise<boolean>((resolve) => (settle = resolve));
  const connection = new SpdyConnection(socket, 'server', (stream) => {
    const type = stream.headers['streamtype'] ?? '';
    if (!STREAM_TYPES.has(type) || found.has(type)) return false;
    found.set(type, stream);
    if (wanted.every((each) => found.has(each))) settle(true);
    return true;
  });
  const gone = new AbortController();
  void connection.closed.then(() => {
    settle(false);
    gone.abort();
  });
  const timer = setTimeout(() => settle(false), STREAM_CREATION_MS);
  const isComplete = await complete;
  clearTimeout(timer);
  if (!isComplete) {
    connection.close();
    return undefined;
  }
  return wireOf(connection, found, { signal: gone.signal, isStructured: STRUCTURED.has(protocol) });
}

function wantedStreams({ stdin, stdout, stderr, tty }: CommandRequest, canResize: boolean): readonly string[] {
  const asked = { stdin, stdout, stderr, resize: tty && canResize };
  return ['error', ...Object.entries(asked).flatMap(([name, isAsked]) => (isAsked ? [name] : []))];
}

function wireOf(
  connection: SpdyConnection,
  found: ReadonlyMap<string, SpdyStream>,
  { signal, isStructured }: { readonly signal: AbortSignal; readonly isStructured: boolean },
): CommandWire {
  const sizes = new TerminalSizes();
  found.get('resize')?.on('data', (piece: Buffer) => sizes.push(piece.toString()));
  // Nobody reads these; their end must be seen all the same, or the streams would stay.
  for (const name of ['error', 'stdout', 'stderr']) found.get(name)?.resume();
  return {
    stdin: found.get('stdin'),
    stdout: found.get('stdout'),
    stderr: found.get('stderr'),
    sizes,
    signal,
    async finish(outcome) {
      const errors = found.get('error');
      const text = outcomeText(outcome, isStructured);
      if (text !== '' && errors?.writable === true) errors.write(text);
      await ended(errors);
      connection.close();
    },
  };
}
