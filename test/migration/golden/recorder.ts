import type { HostedCluster } from '@capstan/api/hypershift';
import { DEFAULT_MIGRATION_SETTINGS } from '@capstan/hypershift';
import { errorText, EventRecorder, silentLogger, systemRandom } from '@capstan/kube';
import type { Client, Logger } from '@capstan/kube';
import { parseJson } from '@capstan/meta';
import type { ApiRequest, ApiResponse, Clock, Condition, Transport } from '@capstan/meta';
import type { MigrationObservers } from '../hosted.js';

type Subject = Parameters<EventRecorder['record']>[0];
type Text = Parameters<EventRecorder['record']>[1];

/** What differs from run to run without meaning anything. */
const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Sent to find out whether an object is as it was read, and to name the one that is meant. */
const GUARDS = new Set(['metadata.resourceVersion', 'metadata.uid']);
const MOST_FIELDS = 8;

/**
 * The log of a migration for a reviewer: in virtual time, what it writes, logs, records as Events and reports in its condition.
 * Values are left out of writes, and identifiers of everything.
 */
export class MigrationRecorder {
  readonly #clock: Clock;
  #startedMs: number;
  readonly #lines: { readonly seconds: number; readonly line: string; untilSeconds: number; times: number }[] = [];
  #condition = '';

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedMs = clock.now();
  }

  get text(): string {
    const lines = this.#lines.map(({ line, seconds, times, untilSeconds }) => {
      const again = times === 1 ? '' : `  (${times} times until ${untilSeconds}s)`;
      return `${`${seconds}s`.padStart(6)}  ${line}${again}`;
    });
    return `${lines.join('\n')}\n`;
  }

  /** Counts from now on. */
  begin(): void {
    this.#startedMs = this.#clock.now();
  }

  note(what: string, text: string): void {
    const seconds = Math.round((this.#clock.now() - this.#startedMs) / 1000);
    const line = `${what.padEnd(9)}  ${text.replaceAll(IDS, '<id>')}`;
    const last = this.#lines.at(-1);
    // What is tried again until its limit is one line.
    if (last?.line !== line) this.#lines.push({ seconds, line, untilSeconds: seconds, times: 1 });
    else {
      last.times += 1;
      last.untilSeconds = seconds;
    }
  }

  /** The condition, where it is not what it was. */
  noteCondition({ status }: HostedCluster): void {
    const conditions = status?.conditions as readonly Condition[] | undefined;
    const found = conditions?.find(({ type }) => type === 'PrivateCAPIMigration');
    const text = found === undefined ? 'none' : `${found.status} ${found.reason}: ${found.message}`;
    if (text !== this.#condition) this.note('condition', text);
    this.#condition = text;
  }

  /** Sends everything on, and notes what is written. */
  transport(inner: Transport): Transport {
    return {
      send: async (request: ApiRequest): Promise<ApiResponse> => {
        if (request.method === 'GET') return inner.send(request);
        const text = `${request.method.toLowerCase()} ${nameOf(request)}${fieldsOf(request)}`;
        try {
          const response = await inner.send(request);
          this.note('write', response.status < 400 ? text : `${text}  -> ${response.status}`);
          return response;
        } catch (error) {
          this.note('write', `${text}  -> ${errorText(error)}`);
          throw error;
        }
      },
    };
  }

  observers(client: Client): MigrationObservers {
    const log =
      (level: string) =>
      (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
        const values = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
        this.note('log', `${level} ${message}${values.join('')}`);
      };
    const logger: Logger = { debug: () => undefined, info: log('INFO'), warn: log('WARN'), error: log('ERROR') };
    // One request after the other.
    const settings = { ...DEFAULT_MIGRATION_SETTINGS, concurrency: 1 };
    return { logger, settings, recorder: new NotedEvents(this, { client, clock: this.#clock }) };
  }
}

class NotedEvents extends EventRecorder {
  readonly #recorder: MigrationRecorder;

  constructor(recorder: MigrationRecorder, { client, clock }: { readonly client: Client; readonly clock: Clock }) {
    const random = systemRandom('events');
    super({ client, clock, random, logger: silentLogger(), component: 'hypershift-migration' });
    this.#recorder = recorder;
  }

  override record(subject: Subject, { message, reason, type }: Text): void {
    this.#recorder.note('event', `${type} ${reason} ${subject.kind} ${subject.name}: ${message}`);
  }
}

/** `machines.cluster.x-k8s.io workers-1 (status)` of the path of a request; of a creation the name in its body. */
function nameOf({ body, target }: ApiRequest): string {
  const [path = ''] = target.split('?');
  const words = path.split('/').slice(1);
  const isCore = words[0] === 'api';
  const group = isCore ? '' : `.${words[1]}`;
  const rest = words.slice(isCore ? 2 : 3);
  const [plural = '', name, subresource] = rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest;
  const { metadata } = (valueOf(body) ?? {}) as { readonly metadata?: { readonly name?: string } };
  const part = subresource === undefined ? '' : ` (${subresource})`;
  return `${plural}${group} ${name ?? metadata?.name ?? ''}${part}`;
}

/** Which fields a patch sets, and which it removes. */
function fieldsOf({ body, method }: ApiRequest): string {
  if (method !== 'PATCH') return '';
  const fields = [...leaves(valueOf(body), '')].filter((path) => !GUARDS.has(path.replace(/^-/, '')));
  const rest = fields.length - MOST_FIELDS;
  return `: ${fields.slice(0, MOST_FIELDS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function* leaves(value: unknown, path: string): Generator<string> {
  if (Array.isArray(value) && path === '') {
    for (const { op, path: at } of value as readonly { op: string; path: string }[]) yield `${op} ${at}`;
    return;
  }
  if (value === null) yield `-${path}`;
  else if (typeof value !== 'object' || Array.isArray(value)) yield path;
  else for (const [key, each] of Object.entries(value)) yield* leaves(each, path === '' ? key : `${path}.${key}`);
}

function valueOf(body: ApiRequest['body']): unknown {
  if (body === undefined || body.type === 'stream') return undefined;
  return body.type === 'value' ? body.value : parseJson(Buffer.from(body.bytes)).value;
}
