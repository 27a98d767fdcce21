/** What the tests of this folder share: small types, and a resource in memory that is applied to. */
import { structOf } from '@capstan/api/kubernetes';
import { apiErrors, deepFreeze } from '@capstan/meta';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '@capstan/meta';
import { applyTypeOfSchema } from './schema-type.js';
import type { ApplySchema } from './schema-type.js';
import { excludeFields } from './field-filter.js';
import type { FieldFilter } from './field-filter.js';
import { applyPatch, trackUpdate } from './field-manager.js';
import type { ApplyResult } from './field-manager.js';
import { forEachPath, pathText } from './field-set.js';
import type { FieldSet } from './field-node.js';
import { decodeFieldsV1 } from './fields-v1.js';
import { singleVersionScope } from './scope.js';
import type { ApplyScope } from './scope.js';
import { applyTypeOfStruct, emptyObjectOf } from './struct-type.js';

/** The members of a set as messages print them. */
export function pathsOf(set: FieldSet): string[] {
  const paths: string[] = [];
  forEachPath(set, (path) => paths.push(pathText(path)));
  return paths;
}

const text: ApplySchema = { type: 'string' };

function listOf(items: ApplySchema, kind: string, keys?: readonly string[]): ApplySchema {
  return {
    type: 'array',
    items,
    'x-kubernetes-list-type': kind,
    ...(keys === undefined ? {} : { 'x-kubernetes-list-map-keys': keys }),
  };
}

const item: ApplySchema = {
  type: 'object',
  properties: {
    name: text,
    value: { type: 'integer' },
    other: { type: 'integer' },
    tags: listOf(text, 'set'),
    labels: { type: 'object', additionalProperties: text },
  },
};

/** One field of every kind. */
export const gadgetSpec: ApplySchema = {
  type: 'object',
  properties: {
    text,
    number: { type: 'number' },
    flag: { type: 'boolean' },
    size: { 'x-kubernetes-int-or-string': true },
    atomic: { type: 'array', items: text },
    set: listOf({ 'x-kubernetes-int-or-string': true }, 'set'),
    items: listOf(item, 'map', ['name']),
    ports: listOf(
      {
        type: 'object',
        properties: { port: { type: 'integer' }, proto: { type: 'string', default: 'TCP' }, host: text },
      },
      'map',
      ['port', 'proto'],
    ),
    labels: { type: 'object', additionalProperties: text },
    whole: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
    byName: { type: 'object', additionalProperties: item },
    inner: { type: 'object', properties: { a: text, b: text, deep: { type: 'object', properties: { c: text } } } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

/** A resource whose `spec` has {@link gadgetSpec}. */
export const gadgetSchema: ApplySchema = {
  type: 'object',
  properties: { spec: gadgetSpec, status: { type: 'object', properties: { phase: text } } },
};

const GROUP = 'test.dev';

/** The time of {@link entry} unless it has another. */
export const TIME = '2024-01-01T00:00:00Z';

/** How the resource under test is served. */
export interface GadgetOptions {
  readonly schemas?: Readonly<Record<string, ApplySchema>>;
  readonly filter?: FieldFilter;
  readonly convert?: (object: JsonObject, version: string) => JsonObject;
}

/** A gadget and the writes to it. Time moves by a second with every write. */
export class Gadget {
  object: KubeObject | undefined;
  #seconds = 0;
  schemas: Readonly<Record<string, ApplySchema>>;
  readonly #options: GadgetOptions;

  constructor(options: GadgetOptions = {}) {
    this.#options = options;
    this.schemas = options.schemas ?? { v1: gadgetSchema };
  }

  scope(version = 'v1', subresource = ''): ApplyScope {
    const apiVersion = `${GROUP}/${version}`;
    const { filter, convert } = this.#options;
    return {
      apiVersion,
      kind: 'Gadget',
      subresource,
      typeOf: (wanted) => {
        const schema = this.schemas[wanted.slice(GROUP.length + 1)];
        return schema && applyTypeOfSchema(schema);
      },
      convert: (object, wanted) =>
        convert?.(object, wanted.slice(GROUP.length + 1)) ?? { ...object, apiVersion: wanted },
      filterOf: () => filter,
      emptyObject: () => ({ apiVersion, kind: 'Gadget' }),
    };
  }

  /** The time the next write will have. */
  get nextTime(): string {
    return `2024-01-01T00:00:${String(this.#seconds).padStart(2, '0')}Z`;
  }

  #tick(): string {
    const time = this.nextTime;
    this.#seconds++;
    return time;
  }

  #live(scope: ApplyScope): KubeObject | undefined {
    if (this.object === undefined || this.object.apiVersion === scope.apiVersion) return this.object;
    return scope.convert(this.object, scope.apiVersion) as KubeObject;
  }

  try(manager: string, spec: JsonObject, options: { force?: boolean; version?: string } = {}): ApplyResult {
    const scope = this.scope(options.version);
    const config = { apiVersion: scope.apiVersion, kind: 'Gadget', metadata: { name: 'g' }, spec };
    const result = applyPatch(scope, {
      live: this.#live(scope),
      config,
      manager,
      force: options.force ?? false,
      time: this.#tick(),
    });
    if (result.type === 'applied') this.#store(result.object);
    return result;
  }

  apply(manager: string, spec: JsonObject, options: { force?: boolean; version?: string } = {}): this {
    const result = this.try(manager, spec, options);
    if (result.type === 'conflicts') throw apiErrors.applyConflict(result.conflicts);
    return this;
  }

  update(manager: string, spec: JsonObject, version = 'v1', subresource = ''): this {
    const scope = this.scope(version, subresource);
    const live = this.#live(scope);
    const { managedFields, ...metadata } = live?.metadata ?? { name: 'g' };
    void managedFields;
    const next = { apiVersion: scope.apiVersion, kind: 'Gadget', metadata, spec };
    const entries = trackUpdate(scope, { live, next, manager, time: this.#tick() });
    this.#store({ ...next, metadata: { ...metadata, ...(entries === undefined ? {} : { managedFields: entries }) } });
    return this;
  }

  /** As storing does: it has a uid, nulls and what they leave empty are gone, and nobody changes it. */
  #store(object: KubeObject): void {
    const spec = withoutNulls(object['spec']);
    this.object = deepFreeze({ ...object, metadata: { ...object.metadata, uid: 'u' }, spec });
  }

  get spec(): unknown {
    return this.object?.['spec'];
  }

  get entries(): readonly ManagedFieldsEntry[] {
    return this.object?.metadata.managedFields ?? [];
  }

  /** What each manager owns below `spec`; managers that only update have a `~` before their name. */
  get owned(): Record<string, string[]> {
    const owned: Record<string, string[]> = {};
    for (const entry of this.entries) {
      const name = `${entry.operation === 'Update' ? '~' : ''}${entry.manager ?? ''}`;
      owned[name] = pathsOf(decodeFieldsV1(entry.fieldsV1))
        .map((path) => path.replace('.spec', ''))
        .filter((path) => path !== '');
    }
    return owned;
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, withoutNulls(member)]),
  );
}

/** An entry; a time of undefined is none. */
export function entry(
  manager: string,
  fieldsV1: JsonObject,
  more: Omit<ManagedFieldsEntry, 'time'> & { time?: string | undefined } = {},
): ManagedFieldsEntry {
  const { time = 'time' in more ? undefined : TIME, ...rest } = more;
  const base = { manager, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1, ...rest };
  return time === undefined ? base : { ...base, time };
}

/** A built-in kind of version v1, whose status is reset. */
export function builtinScope(group: string, kind: string, subresource = ''): ApplyScope {
  const struct = structOf(group, 'v1', kind);
  if (struct === undefined) throw new Error(`no ${kind}`);
  return singleVersionScope({
    apiVersion: group === '' ? 'v1' : `${group}/v1`,
    kind,
    type: applyTypeOfStruct(struct),
    emptyObject: () => emptyObjectOf(struct),
    filter: excludeFields(['status']),
    subresource,
  });
}

/** A ConfigMap called `c`. */
export function configMap(data: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', ...metadata }, data };
}

/** The result of an apply that must not conflict. */
export function applied(result: ApplyResult): ApplyResult & { type: 'applied' } {
  if (result.type !== 'applied') throw new Error(JSON.stringify(result.conflicts));
  return result;
}
