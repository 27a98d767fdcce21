import type { ApiRequest, ApiResponse, PayloadBody, WatchFrame } from '@capstan/meta';
import type { EffectPoint } from '../faults/fault.js';

const encoder = new TextEncoder();

class Answer implements PayloadBody {
  readonly type = 'payload';
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  chunks(): readonly Uint8Array[] {
    return [encoder.encode(JSON.stringify(this.#value))];
  }

  value(): unknown {
    return this.#value;
  }
}

const REASONS: ReadonlyMap<number, readonly [string, string]> = new Map([
  [409, ['Conflict', 'the object has been modified; please apply your changes to the latest version and try again']],
  [429, ['TooManyRequests', 'too many requests, please try again later']],
  [500, ['InternalError', 'Internal error occurred: a simulated failure']],
  [503, ['ServiceUnavailable', 'the server is currently unable to handle the request']],
  [504, ['Timeout', 'the server was unable to return a response in the time allotted']],
  [410, ['Expired', 'too old resource version']],
]);

function status(code: number): Readonly<Record<string, unknown>> {
  const [reason, message] = REASONS.get(code) ?? ['Unknown', 'unknown'];
  return Object.freeze({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: Object.freeze({}),
    status: 'Failure',
    message,
    reason,
    code,
  });
}

/** A server's refusal that no server was asked for. */
export function refusal(code: number, retryAfterSeconds?: number): ApiResponse {
  const headers = {
    'content-type': 'application/json',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
  return { status: code, headers, body: new Answer(status(code)) };
}

/** The frame a watch ends with when its version is too old. */
export function expiredFrame(): WatchFrame {
  const object = status(410);
  return {
    type: 'ERROR',
    object: () => object,
    bytes: () => encoder.encode(`${JSON.stringify({ type: 'ERROR', object })}\n`),
  };
}

interface WrittenObject {
  readonly metadata?: { readonly name?: string; readonly uid?: string; readonly resourceVersion?: string };
}

/** The object a request carries, when it is one. */
export function writtenObject(request: ApiRequest): WrittenObject | undefined {
  const value = request.body?.type === 'value' ? request.body.value : undefined;
  return typeof value === 'object' && value !== null ? (value as WrittenObject) : undefined;
}

/** Whether a request replaces a whole object without naming the version it was made from. */
export function isBlindReplace(request: ApiRequest): boolean {
  return request.method === 'PUT' && (writtenObject(request)?.metadata?.resourceVersion ?? '') === '';
}

/** What a request is called among those of its process. */
export function effectSubject(method: string, target: string): string {
  const query = target.indexOf('?');
  return `${method} ${query < 0 ? target : target.slice(0, query)}`;
}

/** What may go wrong with a request. */
export function effectPoint(request: ApiRequest): EffectPoint {
  switch (request.method) {
    case 'POST':
      return writtenObject(request)?.metadata?.name === undefined ? 'generate' : 'create';
    case 'PUT':
    case 'PATCH':
      return 'change';
    case 'DELETE':
      return 'delete';
    default:
      return readPoint(request.target);
  }
}

function readPoint(target: string): EffectPoint {
  const has = (parameter: string): boolean => new RegExp(`[?&]${parameter}=`).test(target);
  if (/[?&]watch=(?:true|1)\b/.test(target)) return 'watch';
  if (has('continue')) return 'page';
  return has('resourceVersion') ? 'list' : 'read';
}

/** What a replica that lags answers: a target at its own revision, or a refusal because it does not know that much yet. */
export function fromReplica(target: string, revision: number): string | ApiResponse {
  const [path = '', query = ''] = target.split('?');
  const parameters = new URLSearchParams(query);
  const asked = parameters.get('resourceVersion') ?? '';
  const isWatch = parameters.has('watch');
  if (Number(asked) > revision && (!isWatch || parameters.has('sendInitialEvents'))) return tooLarge();
  if (asked !== '0' || isWatch) return target;
  parameters.set('resourceVersion', String(revision));
  parameters.set('resourceVersionMatch', 'Exact');
  return `${path}?${parameters.toString()}`;
}

function tooLarge(): ApiResponse {
  const message = 'Timeout: Too large resource version';
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const body = { ...status(504), message, details: { causes, retryAfterSeconds: 1 } };
  return { status: 504, headers: { 'content-type': 'application/json', 'retry-after': '1' }, body: new Answer(body) };
}
