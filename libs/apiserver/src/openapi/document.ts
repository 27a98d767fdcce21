import type { ResourceDefinition, SubresourceDefinition } from '@capstan/api/kubernetes';
import type { GroupVersionKind } from '@capstan/meta';
import { refTo, SchemaCollector, type Schema } from './schemas.js';

/** One group-version to describe. */
export interface DocumentInput {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ResourceDefinition[];
  /** `major.minor` of the server. */
  readonly serverVersion: string;
  /** The schema of a custom resource as its definition states it; `undefined` for built-in ones. */
  readonly schemaOf: (resource: ResourceDefinition) => Schema | undefined;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

const verbOf: Readonly<Record<Method, string>> = {
  get: 'get',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
};

const patchTypes = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];

function query(name: string, type: string, description: string): Schema {
  return { name, in: 'query', description, schema: { type, uniqueItems: true } };
}

const dryRun = query(
  'dryRun',
  'string',
  'With the value All the request is carried out in full but for storing its outcome.',
);
const fieldManager = query('fieldManager', 'string', 'In whose name the fields are set.');
const fieldValidation = query(
  'fieldValidation',
  'string',
  'What to do about unknown and duplicate fields: Ignore, Warn or Strict.',
);
const force = query('force', 'boolean', 'Take fields over from other managers. For apply patches only.');

function parametersOf(method: Method): readonly Schema[] {
  if (method === 'get') return [];
  if (method === 'delete') return [dryRun];
  return method === 'patch' ? [dryRun, fieldManager, fieldValidation, force] : [dryRun, fieldManager, fieldValidation];
}

/** What a path speaks of. */
interface PathSubject {
  readonly kind: GroupVersionKind;
  /** The definition name of the body, where it is known. */
  readonly model: string | undefined;
  readonly verbs: readonly string[];
  /** Of the path: namespace and name. */
  readonly parameters: readonly Schema[];
  readonly isCustom: boolean;
}

function bodyOf(method: Method, { kind, model, isCustom }: PathSubject): Schema | undefined {
  if (method === 'get' || method === 'delete') return undefined;
  if (method !== 'patch')
    return { content: { '*/*': { schema: model === undefined ? {} : refTo(model) } }, required: true };
  const types = isCustom ? patchTypes : [...patchTypes, 'application/strategic-merge-patch+json'];
  return {
    content: Object.fromEntries(
      types.map((type) => [type, { schema: { type: 'object', description: `A patch of a ${kind.kind}.` } }]),
    ),
    required: true,
  };
}

function operation(method: Method, subject: PathSubject): Schema {
  const { kind, model } = subject;
  const parameters = parametersOf(method);
  const requestBody = bodyOf(method, subject);
  const content = model === undefined ? {} : { content: { 'application/json': { schema: refTo(model) } } };
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { '200': { description: 'OK', ...content } },
    'x-kubernetes-action': method,
    'x-kubernetes-group-version-kind': { group: kind.group, version: kind.version, kind: kind.kind },
  };
}

const nameParameter = { name: 'name', in: 'path', required: true, schema: { type: 'string', uniqueItems: true } };
const namespaceParameter = {
  name: 'namespace',
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
};

/** The definition name of a custom kind: its group turned round, as package names are written. */
function customModel(group: string, version: string, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

class DocumentBuilder {
  readonly #input: DocumentInput;
  readonly #schemas = new SchemaCollector();
  readonly #paths: Record<string, Schema> = {};

  constructor(input: DocumentInput) {
    this.#input = input;
  }

  build(): object {
    for (const resource of this.#input.resources) this.#addResource(resource);
    const deletes = this.#input.resources.some(({ verbs }) => verbs.includes('delete'));
    if (deletes) for (const kind of ['DeleteOptions', 'Status']) this.#schemas.addMeta(kind);
    return {
      openapi: '3.0.0',
      info: { title: 'Kubernetes', version: this.#input.serverVersion },
      paths: this.#paths,
      components: { schemas: this.#schemas.finish() },
    };
  }

  #addResource(resource: ResourceDefinition): void {
    const { group, version, kind } = resource;
    const custom = this.#input.schemaOf(resource);
    const model =
      custom === undefined ? this.#schemas.addKind(group, version, kind) : this.#addCustom(resource, custom);
    if (custom === undefined && resource.listKind !== undefined)
      this.#schemas.addKind(group, version, resource.listKind);
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const collection = resource.namespaced
      ? `${root}/namespaces/{namespace}/${resource.plural}`
      : `${root}/${resource.plural}`;
    const placed = resource.namespaced ? [namespaceParameter] : [];
    const { verbs } = resource;
    const subject = {
      kind: { group, version, kind },
      model,
      verbs,
      parameters: placed,
      isCustom: custom !== undefined,
    };
    this.#addPath(collection, ['post'], subject);
    const item = { ...subject, parameters: [nameParameter, ...placed] };
    this.#addPath(`${collection}/{name}`, ['get', 'put', 'patch', 'delete'], item);
    for (const subresource of resource.subresources) this.#addSubresource(subresource, `${collection}/{name}`, item);
  }

  #addSubresource(subresource: SubresourceDefinition, path: string, parent: PathSubject): void {
    const { kind, name, verbs, group = parent.kind.group, version = parent.kind.version } = subresource;
    // Options of a connection (exec, proxy) travel in the query: they have no body to describe.
    const isOptions = kind.endsWith('Options');
    const model =
      kind === parent.kind.kind ? parent.model : isOptions ? undefined : this.#schemas.addKind(group, version, kind);
    this.#addPath(`${path}/${name}`, ['get', 'post', 'put', 'patch'], {
      ...parent,
      kind: { group, version, kind },
      model,
      verbs,
    });
  }

  #addPath(path: string, methods: readonly Method[], subject: PathSubject): void {
    const served = methods.filter((method) => subject.verbs.includes(verbOf[method]));
    if (served.length === 0) return;
    const operations = served.map((method) => [method, operation(method, subject)] as const);
    const { parameters } = subject;
    this.#paths[path] = { ...Object.fromEntries(operations), ...(parameters.length > 0 ? { parameters } : {}) };
  }

  #addCustom({ group, version, kind, listKind }: ResourceDefinition, schema: Schema): string {
    const name = customModel(group, version, kind);
    const text = { type: 'string' };
    const properties = typeof schema['properties'] === 'object' ? schema['properties'] : {};
    this.#schemas.add(name, {
      ...schema,
      properties: { ...properties, apiVersion: text, kind: text, metadata: refTo(this.#schemas.addMeta('ObjectMeta')) },
      'x-kubernetes-group-version-kind': [{ group, kind, version }],
    });
    const list = listKind ?? `${kind}List`;
    this.#schemas.add(customModel(group, version, list), {
      description: `${list} is a list of ${kind}`,
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: text,
        items: { type: 'array', items: refTo(name) },
        kind: text,
        metadata: refTo(this.#schemas.addMeta('ListMeta')),
      },
      'x-kubernetes-group-version-kind': [{ group, kind: list, version }],
    });
    return name;
  }
}

/** The OpenAPI v3 document of one group-version. */
export function buildDocument(input: DocumentInput): object {
  return new DocumentBuilder(input).build();
}
