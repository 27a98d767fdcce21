import type { ApiResponse, Transport } from '@capstan/meta';
import type { Body, Translator } from '@capstan/translate';

/** A request of a scenario. */
export interface Asked {
  readonly method?: string;
  readonly accept?: string;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Asks a server, and gives its answer as text. */
export type Ask = (target: string, asked?: Asked) => Promise<Answer>;

const headersOf = ({
  accept = 'application/json',
  type = 'application/json',
  body,
  headers,
}: Asked): Record<string, string> => ({
  accept,
  ...(body === undefined ? {} : { 'content-type': type }),
  ...headers,
});

/** Asks the server itself. */
export function directly(transport: Transport): Ask {
  return async (target, asked = {}) => {
    const bytes = asked.body === undefined ? undefined : Buffer.from(asked.body);
    const response = await transport.send({
      method: asked.method ?? 'GET',
      target,
      headers: headersOf(asked),
      body: bytes && { type: 'bytes', bytes },
    });
    const chunks = await received(response);
    return { status: response.status, text: Buffer.concat(chunks).toString(), headers: response.headers };
  };
}

/** Asks it through the translation, as a proxy does. */
export function through(translator: Translator, transport: Transport): Ask {
  return async (target, asked = {}) => {
    const method = asked.method ?? 'GET';
    const request = translator.request({ method, target, headers: headersOf(asked) });
    if ('refuse' in request) {
      const { status, headers, body } = request.refuse;
      return { status, headers, text: Buffer.from(body).toString() };
    }
    const bytes = asked.body === undefined ? undefined : rewritten(request.body(), [Buffer.from(asked.body)]);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const response = await transport.send({
      method,
      target: request.target,
      headers,
      body: bytes && { type: 'bytes', bytes },
    });
    const translated = request.response(response.status, response.headers);
    const text = rewritten(translated.body, await received(response)).toString();
    return { status: response.status, text, headers: translated.headers };
  };
}

function rewritten(body: Body, chunks: readonly Uint8Array[]): Buffer {
  if (body === 'pass') return Buffer.concat(chunks);
  return Buffer.concat([...chunks.flatMap((chunk) => body.push(chunk)), ...body.end()]);
}

/** All bytes of a body; a watch must end by itself. */
async function received({ body }: ApiResponse): Promise<readonly Uint8Array[]> {
  if (body.type === 'payload') return body.chunks();
  if (body.type !== 'watch') return [];
  const chunks: Uint8Array[] = [];
  await new Promise<void>((resolve, reject) => {
    body.start({
      frame: (frame) => chunks.push(frame.bytes()),
      end: (error) => (error === undefined ? resolve() : reject(error)),
    });
  });
  return chunks;
}
