import type { ApiResponse, PayloadBody, StreamBody, WatchEventType, WatchFrame } from '@capstan/meta';
import { RuntimeError } from '../runtime/errors.js';
import { TransportError } from './errors.js';
import { decodeJson } from './json.js';

/** No text of V8 is longer, so no answer could be read. */
export const MAX_RESPONSE_BYTES = 512 * 1024 * 1024;

/** The error of a body that has more. */
export function responseTooLarge(): TransportError {
  return new TransportError('ETOOLARGE', `the response is larger than ${MAX_RESPONSE_BYTES} bytes`, true);
}

/** The body of a response that its caller does not want as a stream. */
export function unreadBody(
  { body, status }: ApiResponse,
  { isStreaming = false }: { readonly isStreaming?: boolean | undefined },
): StreamBody | undefined {
  return body.type === 'stream' && (!isStreaming || status >= 300) ? body : undefined;
}

/** The response when its last byte is in: a server in the same process streams what it got from a node or pod. */
export async function arrived(response: ApiResponse, body: StreamBody): Promise<ApiResponse> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body.read()) {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) throw responseTooLarge();
      chunks.push(chunk);
    }
  } finally {
    body.cancel();
  }
  const type = response.headers['content-type'];
  return {
    ...response,
    body: bytes === 0 ? { type: 'empty' } : bytesPayload(chunks, typeof type === 'string' ? type : ''),
  };
}

/** A finite body that already arrived; decoded when first asked for. */
export function bytesPayload(chunks: readonly Uint8Array[], contentType: string): PayloadBody {
  let decoded = false;
  let value: unknown;
  return {
    type: 'payload',
    chunks: () => chunks,
    value: () => {
      if (!decoded) {
        const whole = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
        value = isJson(contentType) ? decodeJson(whole) : new TextDecoder().decode(whole);
        decoded = true;
      }
      return value;
    },
  };
}

function isJson(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
}

const NEWLINE = 0x0a;
const TYPES: readonly WatchEventType[] = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'];
const PREFIXES = TYPES.map((type) => ({ type, prefix: Buffer.from(`{"type":"${type}",`) }));

/** Cuts a stream of bytes into lines whatever the chunk borders; complete lines are passed on at once. */
export class LineSplitter {
  #partial: Uint8Array[] = [];
  readonly #onLine: (line: Uint8Array) => void;

  constructor(onLine: (line: Uint8Array) => void) {
    this.#onLine = onLine;
  }

  /** Lines keep their newline. */
  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end + 1);
      start = end + 1;
      if (this.#partial.length === 0) {
        if (piece.length > 1) this.#onLine(piece);
        continue;
      }
      this.#partial.push(piece);
      const line = Buffer.concat(this.#partial);
      this.#partial = [];
      this.#onLine(line);
    }
    if (start < chunk.length) this.#partial.push(chunk.subarray(start));
  }

  /** True when the stream stopped in the middle of a line. */
  get torn(): boolean {
    return this.#partial.length > 0;
  }
}

/** A watch event as it came over the wire. The type is read without parsing; the object only when asked for. */
export function wireFrame(line: Uint8Array): WatchFrame {
  let event: { readonly type: WatchEventType; readonly object: unknown } | undefined;
  const parsed = (): { readonly type: WatchEventType; readonly object: unknown } => (event ??= decodeEvent(line));
  return {
    type: frameType(line) ?? parsed().type,
    object: () => parsed().object,
    bytes: () => line,
  };
}

function frameType(line: Uint8Array): WatchEventType | undefined {
  for (const { type, prefix } of PREFIXES) {
    if (line.length > prefix.length && prefix.compare(line, 0, prefix.length) === 0) return type;
  }
  return undefined;
}

function decodeEvent(line: Uint8Array): { type: WatchEventType; object: unknown } {
  const value = decodeJson(line);
  if (typeof value === 'object' && value !== null && 'type' in value && 'object' in value) {
    const type = TYPES.find((known) => known === value.type);
    if (type !== undefined) return { type, object: value.object };
  }
  throw new RuntimeError('bad-watch-event', 'the watch sent a line that is not an event');
}
