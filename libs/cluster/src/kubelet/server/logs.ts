import type { ServerResponse } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import type { ContainerTarget, LogQuery, NodeStreams } from '../streams.js';

const STREAMS: ReadonlySet<string> = new Set(['All', 'Stdout', 'Stderr']);

/** Reads the query of `/containerLogs`; undefined when it makes no sense. */
export function readLogQuery(query: URLSearchParams): LogQuery | undefined {
  const numbers = ['tailLines', 'limitBytes', 'sinceSeconds'].map((name) => wholeNumber(query.get(name)));
  const stream = query.get('stream') ?? 'All';
  if (numbers.some(Number.isNaN) || !STREAMS.has(stream)) return undefined;
  const [tailLines, limitBytes, sinceSeconds] = numbers;
  return {
    follow: isSet(query.get('follow')),
    previous: isSet(query.get('previous')),
    timestamps: isSet(query.get('timestamps')),
    tailLines,
    limitBytes,
    sinceSeconds,
    sinceTime: query.get('sinceTime') ?? undefined,
    stream: stream as LogQuery['stream'],
  };
}

function isSet(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0';
}

function wholeNumber(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Sends the log as it comes, no faster than the client reads. */
export async function sendLogs(
  streams: NodeStreams,
  target: ContainerTarget,
  query: LogQuery,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const text = await streams.logs(target, query, gone.signal);
  response.writeHead(200, { 'Content-Type': 'text/plain' });
  // An empty log exists all the same.
  response.flushHeaders();
  await new Promise<void>((resolve) => {
    pipeline(Readable.from(text, { objectMode: false, highWaterMark: 64 * 1024 }), response, () => resolve());
  });
}
