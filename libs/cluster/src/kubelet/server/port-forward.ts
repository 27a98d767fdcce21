import type { Duplex } from 'node:stream';
import type { NodeStreams } from '../streams.js';
import { ended } from './command.js';
import { SpdyConnection } from './spdy/connection.js';
import type { SpdyStream } from './spdy/stream.js';

/** The streaming protocol of port-forward. */
export const PORT_FORWARD_PROTOCOL = 'portforward.k8s.io';
/** The same, its bytes carried by a WebSocket. */
export const PORT_FORWARD_TUNNEL = `SPDY/3.1+${PORT_FORWARD_PROTOCOL}`;

/** How long the second stream of a pair may take. */
const STREAM_CREATION_MS = 30_000;
const MAX_PORT = 65_535;

/** One forwarded connection: its bytes, and a stream to complain on. */
interface Pair {
  data?: SpdyStream;
  error?: SpdyStream;
  readonly timer: NodeJS.Timeout;
}

/** Which pod is forwarded to. */
export interface ForwardTarget {
  readonly namespace: string;
  readonly pod: string;
}

/** Serves port-forward on the connection until it is over. */
export async function forwardPorts(streams: NodeStreams, target: ForwardTarget, socket: Duplex): Promise<void> {
  const pairs = new Map<string, Pair>();
  const connection = new SpdyConnection(socket, 'server', (stream) => {
    const port = portOf(stream);
    const type = stream.headers['streamtype'];
    if (port === undefined || (type !== 'data' && type !== 'error')) return false;
    const id = requestId(stream, type);
    const pair = pairs.get(id) ?? newPair(pairs, id);
    if (pair[type] !== undefined) {
      pair.error?.end(`error processing stream for request ${id}: ${type} stream already assigned`);
      return false;
    }
    pair[type] = stream;
    if (pair.data !== undefined && pair.error !== undefined) {
      clearTimeout(pair.timer);
      pairs.delete(id);
      void forward(streams, target, { port, data: pair.data, error: pair.error });
    }
    return true;
  });
  await connection.closed;
  for (const { timer } of pairs.values()) clearTimeout(timer);
}

function newPair(pairs: Map<string, Pair>, id: string): Pair {
  const timer = setTimeout(() => {
    const late = pairs.get(id);
    pairs.delete(id);
    late?.error?.end('timed out waiting for streams');
    late?.data?.destroy();
  }, STREAM_CREATION_MS);
  const pair: Pair = { timer };
  pairs.set(id, pair);
  return pair;
}

function portOf({ headers }: SpdyStream): number | undefined {
  const text = headers['port'] ?? '';
  const port = Number(text);
  return /^\d+$/.test(text) && port >= 1 && port <= MAX_PORT ? port : undefined;
}

/** Old clients number no requests; their error stream comes just before the data stream. */
function requestId({ headers, id }: SpdyStream, type: 'data' | 'error'): string {
  return headers['requestid'] ?? String(type === 'error' ? id : id - 2);
}

async function forward(
  streams: NodeStreams,
  target: ForwardTarget,
  { port, data, error }: { readonly port: number; readonly data: SpdyStream; readonly error: SpdyStream },
): Promise<void> {
  error.resume();
  let pod: Duplex;
  try {
    pod = await streams.dial(target.namespace, target.pod, port);
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    error.write(`error forwarding port ${port} to pod ${target.pod}, uid : ${reason}`);
    await Promise.all([ended(error), ended(data)]);
    data.destroy();
    return;
  }
  feed(data, pod);
  await answer(pod, data);
  // Only now: the client takes the end of this one for the end of all.
  await ended(error);
}

/**
 * The client's bytes go to the pod as long as it takes them. A pod that closes the connection has sent everything, and that
 * must still reach the client: what the client sends from then on is dropped.
 */
function feed(data: SpdyStream, pod: Duplex): void {
  data.pipe(pod);
  pod.once('close', () => {
    data.unpipe(pod);
    data.resume();
  });
  data.once('close', () => (data.errored === null ? pod.end() : pod.destroy()));
}

/** The pod's output goes to the client, to its end; a connection that breaks breaks there, too. */
function answer(pod: Duplex, data: SpdyStream): Promise<void> {
  return new Promise((resolve) => {
    pod.on('error', () => data.destroy());
    pod.once('close', () => (pod.readableEnded ? undefined : data.destroy()));
    data.once('finish', resolve);
    data.once('close', resolve);
    pod.pipe(data);
  });
}
