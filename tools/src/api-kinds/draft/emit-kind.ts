import type { DraftGroup } from './sources.js';
import type { Code } from './code.js';
import { literal, propertyName } from './code.js';
import type { PublishedCrd, PublishedVersion } from './crd-file.js';
import type { SchemaWriter } from './emit-schema.js';
import { versionSuffix } from './names.js';
import type { DraftVersion } from './shapes.js';

/** A kind that was read, with its variants merged. */
export interface DraftedKind {
  readonly crd: PublishedCrd;
  readonly versions: readonly DraftVersion[];
  /** Not with the webhook of the group. */
  readonly unconverted?: true;
}

/** The TypeScript type of one version: the stored one has the plain name. */
export function versionTypeName(kind: string, version: PublishedVersion): string {
  return version.storage ? kind : `${kind}${versionSuffix(version.name)}`;
}

/** The call that defines a kind. */
export function kindCode(drafted: DraftedKind, group: DraftGroup, writer: SchemaWriter): Code {
  const { spec, metadata } = drafted.crd;
  const { kind, plural, singular, listKind, shortNames, categories } = spec.names;
  const labels = { ...metadata.labels, ...group.labels };
  const facts = {
    group: spec.group,
    kind,
    plural,
    ...(singular === kind.toLowerCase() ? {} : { singular }),
    ...(listKind === `${kind}List` ? {} : { listKind }),
    shortNames,
    categories,
    scope: spec.scope,
    labels: Object.keys(labels).length === 0 ? undefined : labels,
    conversion: spec.versions.length > 1 && drafted.unconverted !== true ? group.conversion : undefined,
  };
  const versions = spec.versions.map((version) => {
    const schema = drafted.versions.find((each) => each.version === version.name)?.schema;
    if (schema === undefined) throw new Error(`${kind} ${version.name} was not drafted`);
    return versionCode(version, writer.write(rootSchema(schema), true));
  });
  return {
    call: 'kind',
    args: [{ entries: [...entriesOf(facts), ['meanings', 'meanings'], ['versions', { items: versions }]] }],
  };
}

function entriesOf(facts: object): (readonly [string, Code])[] {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [propertyName(key), literal(value)] as const);
}

/** Every object has `apiVersion`, `kind` and `metadata`; only what is particular about them is written down. */
function rootSchema(schema: DraftVersion['schema']): DraftVersion['schema'] {
  const { apiVersion, kind, metadata, ...own } = schema.properties ?? {};
  if (apiVersion?.optional !== true || kind?.optional !== true) throw new Error('apiVersion or kind is required');
  const plain = metadata === undefined || (metadata.optional === true && metadata.properties === undefined);
  return { ...schema, properties: plain ? own : { metadata, ...own } };
}

function versionCode(version: PublishedVersion, schema: Code): Code {
  const { name, served, storage, deprecated, deprecationWarning, subresources, selectableFields } = version;
  const columns = version.additionalPrinterColumns?.map(columnFacts);
  const facts = {
    name,
    served: served ? undefined : false,
    storage: storage ? true : undefined,
    deprecated,
    deprecationWarning,
    columns,
    subresources: subresourceFacts(subresources),
    selectableFields: selectableFields?.map(({ jsonPath }) => jsonPath),
  };
  return { entries: [...entriesOf(facts), ['schema', schema]] };
}

/** The sentence about a column is its author's. */
function columnFacts(column: Readonly<Record<string, unknown>>): object {
  const { name, type, jsonPath, format, priority } = column;
  return {
    name,
    type,
    jsonPath,
    ...(format === undefined ? {} : { format }),
    ...(priority === undefined ? {} : { priority }),
  };
}

function subresourceFacts(subresources: PublishedVersion['subresources']): object | undefined {
  if (subresources === undefined || Object.keys(subresources).length === 0) return undefined;
  const { status, scale } = subresources;
  return { ...(status === undefined ? {} : { status: true }), ...(scale === undefined ? {} : { scale }) };
}
