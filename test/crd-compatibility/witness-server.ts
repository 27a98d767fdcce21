import type { Witness, WitnessRequest } from '@capstan/crd-compat';
import type { JsonObject, KubeObject, Transport } from '@capstan/meta';
import { expect } from 'vitest';
import { startHookServer, type HookReply, type HookServer, type ReviewRequest } from '../src/hook-server.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const LIMIT = { timeout: 60_000, interval: 30 };

/** An answer of a server. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

/** A CRD as it is installed. */
export interface Definition extends JsonObject {
  readonly metadata: { readonly name: string };
  readonly spec: JsonObject & {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly conversion?: { readonly strategy: string; readonly webhook?: object };
    readonly versions: readonly Version[];
  };
}

interface Version extends JsonObject {
  readonly name: string;
  readonly served: boolean;
  readonly subresources?: { readonly status?: object };
}

/** What is answered to a request, and what is there afterwards. */
export interface Observed {
  readonly answer: Answer;
  /** The object after a write; the answer itself for reads. */
  readonly seen: JsonObject;
}

/** A server that witnesses are sent to. */
export class WitnessServer {
  readonly #transport: Transport;
  readonly #converter: HookServer;
  #marks = 0;

  private constructor(transport: Transport, converter: HookServer) {
    this.#transport = transport;
    this.#converter = converter;
  }

  static async open(transport: Transport): Promise<WitnessServer> {
    return new WitnessServer(transport, await startHookServer(() => convert));
  }

  close(): Promise<void> {
    return this.#converter.close();
  }

  /** The CRD as it is sent: its converter is here, and a column identifies it. */
  #marked(definition: Definition, mark: string): Definition {
    const { conversion, versions } = definition.spec;
    const additionalPrinterColumns = [{ name: mark, type: 'string', jsonPath: '.metadata.name' }];
    const { caBundle, url } = this.#converter;
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: `${url}/convert`, caBundle } };
    return {
      ...definition,
      spec: {
        ...definition.spec,
        versions: versions.map((version) => ({ ...version, additionalPrinterColumns })),
        ...(conversion?.strategy === 'Webhook' && { conversion: { strategy: 'Webhook', webhook } }),
      },
    };
  }

  /** Sends a request; again, as clients do, while the server is not ready for it. */
  async call(method: string, target: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    let answer = await this.#call(method, target, body, headers);
    const ask = async (): Promise<number> => (answer = await this.#call(method, target, body, headers)).status;
    if (answer.status === 429) await expect.poll(ask, LIMIT).not.toBe(429);
    return answer;
  }

  async #call(method: string, target: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
    const response = await this.#transport.send({
      method,
      target,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      ...(bytes !== undefined && { body: { type: 'bytes', bytes } }),
    });
    const value = response.body.type === 'payload' ? response.body.value() : {};
    return { status: response.status, body: typeof value === 'object' && value !== null ? (value as JsonObject) : {} };
  }

  async #must(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<JsonObject> {
    const answer = await this.call(method, target, body, headers);
    expect([method, target, answer.status, answer.body['message']]).toEqual([
      method,
      target,
      expect.toSatisfy((status: number) => status < 300),
      undefined,
    ]);
    return answer.body;
  }

  async namespace(name: string): Promise<void> {
    await this.#must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }

  async removeNamespace(name: string): Promise<void> {
    await this.call('DELETE', `/api/v1/namespaces/${name}`);
  }

  /** Installs a CRD, and waits until requests are answered by it. */
  async install(definition: Definition): Promise<void> {
    const mark = this.#mark();
    await this.#must('POST', DEFINITIONS, this.#marked(definition, mark));
    await this.#untilMarked(definition, mark);
  }

  /** A CRD that will not be served. */
  async installInVain(definition: Definition): Promise<void> {
    await this.#must('POST', DEFINITIONS, definition);
    const target = `${DEFINITIONS}/${definition.metadata.name}`;
    const read = async (): Promise<unknown> => (await this.call('GET', target)).body['status'];
    const refusal = expect.objectContaining({ type: 'NamesAccepted', status: 'False' });
    await expect.poll(read, LIMIT).toMatchObject({ conditions: expect.arrayContaining([refusal]) });
  }

  #mark(): string {
    this.#marks += 1;
    return `Mark${this.#marks}`;
  }

  /** Puts a CRD in the place of another, and waits until requests are answered by it. */
  async replace(old: Definition, definition: Definition): Promise<void> {
    const mark = this.#mark();
    await this.put(old, definition, mark);
    await this.#untilMarked(definition, mark);
  }

  /** Puts a CRD in the place of another; where the server does not let it be changed, it is recreated. */
  async put(old: Definition, definition: Definition, mark = this.#mark()): Promise<void> {
    const next = this.#marked(definition, mark);
    const { spec } = next;
    const target = `${DEFINITIONS}/${old.metadata.name}`;
    const isSame = old.metadata.name === definition.metadata.name;
    const put = async (): Promise<number> => {
      const { metadata } = await this.#must('GET', target);
      return (await this.call('PUT', target, { ...next, metadata, spec })).status;
    };
    let status = isSame ? await put() : 422;
    // Its controllers write the status of a CRD meanwhile.
    while (status === 409) status = await put();
    if (status !== 200) {
      expect(status).toBe(422);
      await this.remove(old);
      await this.#must('POST', DEFINITIONS, next);
    }
  }

  /** Sets in which versions a CRD has stored objects. */
  async setStoredVersions(definition: Definition, storedVersions: readonly string[]): Promise<void> {
    const target = `${DEFINITIONS}/${definition.metadata.name}/status`;
    await this.#must('PATCH', target, { status: { storedVersions } }, { 'content-type': MERGE });
  }

  async remove({ metadata: { name } }: Definition): Promise<void> {
    await this.call('DELETE', `${DEFINITIONS}/${name}`);
    await expect.poll(async () => (await this.call('GET', `${DEFINITIONS}/${name}`)).status, LIMIT).toBe(404);
  }

  /** Columns are replaced together with schemas, conversion and subresources, so they identify the CRD that answers. */
  async #untilMarked({ spec }: Definition, mark: string): Promise<void> {
    const served = spec.versions.find((version) => version.served);
    const target = `/apis/${spec.group}/${served?.name}/${spec.names.plural}?limit=1`;
    const columns = async (): Promise<unknown> =>
      (await this.call('GET', target, undefined, { accept: TABLE })).body['columnDefinitions'] ?? [];
    await expect.poll(columns, LIMIT).toContainEqual(expect.objectContaining({ name: mark }));
  }

  /** Stores what is there before a request, as a client of the CRD would. */
  async store({ before, request }: Witness): Promise<void> {
    if (before === undefined) return;
    const object = before as JsonObject;
    const target = objectPath(request, object);
    if (request.verb === 'apply') {
      await this.#must('PATCH', `${target}?fieldManager=first&force=true`, object, { 'content-type': APPLY });
      return;
    }
    const made = await this.#must('POST', target.replace(/\/[^/]*$/, ''), object);
    if (object['status'] === undefined) return;
    const { metadata } = made;
    await this.#must('PUT', `${target}/status`, { ...object, metadata });
  }

  /** Sends a request, and looks what came of it. */
  async observe({ before, request }: Witness): Promise<Observed> {
    const answer = await this.#send(request);
    const isRead = request.verb === 'get' || request.verb === 'get-scale' || request.verb === 'list';
    if (isRead || answer.status >= 300) return { answer, seen: answer.body };
    const target = objectPath(request, (before ?? request.object) as JsonObject);
    return { answer, seen: await this.#must('GET', target) };
  }

  /** Removes what a request and what was before it have left. */
  async clear({ before, request }: Witness): Promise<void> {
    const object = (before ?? request.object) as JsonObject | undefined;
    if (object === undefined) return;
    const target = objectPath(request, object);
    await this.call('DELETE', target);
    await expect.poll(async () => (await this.call('GET', target)).status, LIMIT).toBe(404);
  }

  async #send({ object, path, verb }: WitnessRequest): Promise<Answer> {
    if (object === undefined) return this.call('GET', path);
    if (verb === 'create') return this.call('POST', path, object);
    if (verb === 'scale') return this.call('PUT', path, object);
    if (verb === 'apply') {
      return this.call('PATCH', `${path}?fieldManager=second&force=true`, object, { 'content-type': APPLY });
    }
    const { body } = await this.call('GET', path.replace(/\/status$/, ''));
    const { resourceVersion } = (body['metadata'] ?? {}) as JsonObject;
    const { metadata } = object as { readonly metadata: JsonObject };
    return this.call('PUT', path, { ...(object as JsonObject), metadata: { ...metadata, resourceVersion } });
  }
}

/** Where the object of a request is. */
function objectPath({ path, verb }: WitnessRequest, { metadata }: JsonObject): string {
  const [bare = ''] = path.split('?');
  if (verb === 'create' || verb === 'list') return `${bare}/${(metadata as { readonly name: string }).name}`;
  return bare.replace(/\/(?:scale|status)$/, '');
}

/** Keeps all that one version does not know in an annotation, so that nothing is lost on the way. */
function convert(request: ReviewRequest): HookReply {
  const { desiredAPIVersion, objects, uid } = request as unknown as {
    readonly desiredAPIVersion: string;
    readonly objects: readonly KubeObject[];
    readonly uid: string;
  };
  const convertedObjects = objects.map((object) => {
    const { annotations = {} } = object.metadata;
    const spec = { ...(object['spec'] as JsonObject), ...(JSON.parse(annotations['whole'] ?? '{}') as JsonObject) };
    const metadata = { ...object.metadata, annotations: { ...annotations, whole: JSON.stringify(spec) } };
    return { ...object, apiVersion: desiredAPIVersion, spec, metadata };
  });
  const response = { uid, convertedObjects, result: { status: 'Success' } };
  return { review: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response } };
}
