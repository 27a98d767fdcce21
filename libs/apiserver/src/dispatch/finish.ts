import { indentJson } from '@capstan/meta';
import type { ApiRequest, ApiResponse, PayloadBody, WatchBody } from '@capstan/meta';
import type { AuditTrail } from '../audit/index.js';
import type { RequestInfo } from '../request/request-info.js';
import { isTrue } from '../request/request-info.js';
import { wantsProtobufStatus } from '../negotiation/negotiate.js';
import { PROTOBUF } from '../response/encoding.js';
import { ListPayload } from '../response/list-body.js';
import { StatusPayload, ValuePayload, textPayload } from '../response/payload.js';

/** What a request gathered on its way that every answer carries. */
export interface FinishContext {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly warnings: string[];
  readonly auditId: string;
  yaml: ((value: unknown) => string) | undefined;
  /** Known but not allowed to: browsers must not guess the type of the answer. */
  isDenied?: boolean;
  /** Absent when nothing is recorded of the request. */
  audit?: AuditTrail | undefined;
}

type Headers = Record<string, string | readonly string[]>;

/** The answer of a backend, passed on. */
const KEPT_BODIES: ReadonlySet<ApiResponse['body']['type']> = new Set(['stream', 'upgrade']);
/** Programs whose users read the answer with their eyes. */
const PRETTY_AGENTS = /^(?:curl|Wget|Mozilla\/5\.0)/;
const MAX_WARNINGS_RUNES = 4096;
const MAX_WARNING_RUNES = 256;

/** Adds the headers every answer has, and encodes it as the client wants to read it. */
export function finishResponse(
  response: ApiResponse,
  context: FinishContext,
  watchOpened: () => () => void,
): ApiResponse {
  const { warnings, auditId } = context;
  if (KEPT_BODIES.has(response.body.type) || response.status === 304) return passedOn(response, auditId);
  const headers: Headers = {
    'audit-id': auditId,
    'cache-control': 'no-cache, private',
    'content-type': 'application/json',
    ...response.headers,
  };
  if (warnings.length > 0) headers['warning'] = warningHeaders(warnings);
  if (context.isDenied === true) headers['x-content-type-options'] = 'nosniff';
  if (response.body.type === 'watch') {
    return { ...response, headers, body: counted(response.body, watchOpened()) };
  }
  if (response.body.type !== 'payload' || headers['content-type'] !== 'application/json')
    return { ...response, headers };
  return { ...response, body: inWantedForm(response.body, headers, context), headers };
}

/** A JSON body as the client wants to read it; the headers then say so. */
function inWantedForm(body: PayloadBody, headers: Headers, context: FinishContext): PayloadBody {
  const { request, yaml } = context;
  if (body instanceof StatusPayload && wantsProtobufStatus(request.headers['accept'])) {
    headers['content-type'] = PROTOBUF.mediaType;
    return new ValuePayload(body.value(), PROTOBUF.body);
  }
  if (wantsYaml(request) && yaml !== undefined) {
    headers['content-type'] = 'application/yaml';
    return asYaml(body, yaml);
  }
  return isPretty(context) ? prettified(body) : body;
}

/** What keeps the headers it came with. */
function passedOn(response: ApiResponse, auditId: string): ApiResponse {
  const own = { 'audit-id': auditId };
  switch (response.body.type) {
    // Passed on from a backend, which owns the connection from now on.
    case 'upgrade':
      return response;
    case 'stream':
      return { ...response, headers: { ...own, 'cache-control': 'no-cache, private', ...response.headers } };
    default:
      // Caches put the headers of a 304 over those they hold: a content type here would replace the document's.
      return { ...response, headers: { ...own, ...response.headers }, body: { type: 'empty' } };
  }
}

function wantsYaml(request: ApiRequest): boolean {
  const accept = request.headers['accept'];
  return accept !== undefined && /^\s*application\/yaml/.test(accept);
}

function isPretty({ request, info }: FinishContext): boolean {
  const asked = info.query.get('pretty');
  if (asked !== null) return isTrue(asked);
  const agent = request.headers['user-agent'];
  return agent !== undefined && PRETTY_AGENTS.test(agent);
}

function asYaml(body: PayloadBody, write: (value: unknown) => string): PayloadBody {
  return body instanceof ListPayload ? body.yaml(write) : textPayload(write(body.value()));
}

function prettified(body: PayloadBody): PayloadBody {
  if (body instanceof ListPayload) return body.pretty();
  const text = (): string => indentJson(Buffer.concat(body.chunks()).toString('utf8'));
  return { type: 'payload', chunks: () => [new TextEncoder().encode(text())], value: () => body.value() };
}

/** Such a text cannot be in a header. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** `299 - "text"`, each once; when all together are long each is cut, and what is still too much is left out. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const unique = [...new Set(warnings)].filter((text) => !CONTROL.test(text));
  const total = unique.reduce((sum, text) => sum + runesOf(text), 0);
  return (total > MAX_WARNINGS_RUNES ? cut(unique) : unique).map((text) => `299 - "${text.replace(/[\\"]/g, '\\$&')}"`);
}

function runesOf(text: string): number {
  return [...text].length;
}

/** Cutting begins with the text that is too much, and takes in all before it. */
function cut(texts: readonly string[]): string[] {
  let whole = 0;
  let begin = 0;
  while (whole <= MAX_WARNINGS_RUNES) whole += runesOf(texts[begin++] ?? '');
  const kept: string[] = [];
  let written = 0;
  for (const [at, text] of texts.entries()) {
    if (at >= begin && written >= MAX_WARNINGS_RUNES) break;
    const short = [...text].slice(0, MAX_WARNING_RUNES).join('');
    written += runesOf(short);
    kept.push(short);
  }
  return kept;
}

/** Counts a watch as open from its start until it ends in either way. */
function counted(body: WatchBody, closed: () => void): WatchBody {
  return {
    type: 'watch',
    start: (sink) =>
      body.start({
        frame: (frame, isPast) => sink.frame(frame, isPast),
        end: (error) => {
          closed();
          sink.end(error);
        },
      }),
    stop: () => {
      closed();
      body.stop();
    },
  };
}
