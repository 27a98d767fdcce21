import { parseJson, stringifyJson } from '@capstan/meta';
import type {
  ApiRequest,
  ApiResponse,
  PayloadBody,
  RequestBody,
  ResponseBody,
  Transport,
  WatchFrame,
} from '@capstan/meta';
import type { Body, TranslatedRequest, Translator } from '@capstan/translate';
import { SIDECAR_KUBECONFIG } from '@capstan/translate/sidecar';
import { SimulationError } from '../errors.js';

/** The API proxy in the pod of a process. */
export interface PodSidecar {
  /** Where containers of the pod reach it. */
  readonly server: string;
  readonly translator: Translator;
}

/** Whether a program that connects by `KUBECONFIG` reaches the proxy of its pod. */
export function isPointedAtSidecar(env: Readonly<Record<string, string>>): boolean {
  return env['KUBECONFIG'] === SIDECAR_KUBECONFIG;
}

/** What a proxy in the same pod does, without a connection of its own: private groups of the server have their standard names. */
export function translatedTransport(inner: Transport, translator: Translator): Transport {
  return {
    send: async (request) => {
      const { method, target } = request;
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      const translated = translator.request({ method, target, headers });
      if ('refuse' in translated) {
        const { body, status, headers: refused } = translated.refuse;
        return { status, headers: refused, body: payload([body]) };
      }
      return answer(translated, await inner.send(asked(request, translated)));
    },
  };
}

function asked(request: ApiRequest, translated: TranslatedRequest): ApiRequest {
  const headers = Object.fromEntries(
    Object.entries(translated.headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value?.join(', '),
    ]),
  );
  const body = request.body === undefined ? undefined : rewrittenBody(translated.body(), request.body);
  return { ...request, target: translated.target, headers, body };
}

function rewrittenBody(rewriter: Body, body: RequestBody): RequestBody {
  if (rewriter === 'pass') return body;
  if (body.type === 'stream') throw new SimulationError('BAD_ARGUMENT', 'a body that is streamed cannot be translated');
  const bytes = body.type === 'bytes' ? body.bytes : Buffer.from(stringifyJson(body.value));
  const sent = Buffer.concat(rewritten(rewriter, [bytes]));
  return body.type === 'bytes' ? { type: 'bytes', bytes: sent } : { type: 'value', value: parseJson(sent).value };
}

function answer(translated: TranslatedRequest, response: ApiResponse): ApiResponse {
  const { headers, body } = translated.response(response.status, response.headers);
  const sent = Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string | readonly string[]] => entry[1] !== undefined),
  );
  if (body === 'pass') return { ...response, headers: sent };
  const rewriterOf = (): Body => translated.response(response.status, response.headers).body;
  return { status: response.status, headers: sent, body: translatedBody(response.body, rewriterOf) };
}

function translatedBody(body: ResponseBody, rewriterOf: () => Body): ResponseBody {
  switch (body.type) {
    case 'payload':
      return payload(rewritten(rewriterOf(), body.chunks()));
    case 'watch':
      return {
        type: 'watch',
        start: (sink) =>
          body.start({
            frame: (frame, isPast) => {
              const bytes = Buffer.concat(rewritten(rewriterOf(), [frame.bytes()]));
              // Of an object that the proxy hides, such as a CRD of the platform's own Cluster API, nothing is left.
              if (bytes.length > 0) sink.frame(translatedFrame(frame.type, bytes), isPast);
            },
            end: (error) => sink.end(error),
          }),
        stop: () => body.stop(),
      };
    default:
      return body;
  }
}

/** Each event by itself: a rewriter ends where its input does. */
function translatedFrame(type: WatchFrame['type'], bytes: Buffer): WatchFrame {
  return {
    type,
    object: () => (parseJson(bytes).value as { readonly object: unknown }).object,
    bytes: () => bytes,
  };
}

function rewritten(rewriter: Body, chunks: readonly Uint8Array[]): readonly Uint8Array[] {
  if (rewriter === 'pass') return chunks;
  return [...chunks.flatMap((chunk) => [...rewriter.push(chunk)]), ...rewriter.end()];
}

function payload(chunks: readonly Uint8Array[]): PayloadBody {
  return { type: 'payload', chunks: () => chunks, value: () => parseJson(Buffer.concat(chunks)).value };
}
