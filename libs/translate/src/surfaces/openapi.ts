import type { GroupMapping } from '../groups/mapping.js';
import type { Shape } from '../json/shape.js';
import { members, UNTOUCHED } from '../json/shape.js';
import { mixHash } from './etag.js';
import type { Fields } from './fields.js';

const PATHS = /^(\/?(?:openapi\/v3\/)?apis\/)([^/?]+)(.*)$/s;

/** `/apis/G/…`, `apis/G/V` and `/openapi/v3/apis/G/V?hash=…`. */
export function swapApiPath(mapping: GroupMapping, path: string): string {
  return path.replace(PATHS, (_, before: string, group: string, after: string) => before + mapping.swap(group) + after);
}

/** Where a document is, in the list of documents and where a server moves to. */
export function swapDocumentUrl(mapping: GroupMapping, url: string): string {
  return mixHash(swapApiPath(mapping, url), mapping.hash);
}

/** `io.x-k8s.cluster.v1beta1.Machine`: the group backwards, a version, a kind. */
export function swapSchemaName(mapping: GroupMapping, name: string): string {
  const { group, rest } = splitSchemaName(name);
  const swapped = mapping.swap(group);
  return swapped === group ? name : [...swapped.split('.').reverse(), ...rest].join('.');
}

function splitSchemaName(name: string): { group: string; rest: readonly string[] } {
  const labels = name.split('.');
  return { group: labels.slice(0, -2).reverse().join('.'), rest: labels.slice(-2) };
}

/** The group that a path is about; empty for none. */
export function groupOfApiPath(path: string): string {
  return PATHS.exec(path)?.[2] ?? '';
}

/** The group that the name of a schema is of. */
export function groupOfSchema(name: string): string {
  return splitSchemaName(name).group;
}

/** `#/components/schemas/NAME` and `#/definitions/NAME`. */
export function swapReference(mapping: GroupMapping, reference: string): string {
  const slash = reference.lastIndexOf('/');
  return reference.startsWith('#/')
    ? reference.slice(0, slash + 1) + swapSchemaName(mapping, reference.slice(slash + 1))
    : reference;
}

/** `ClusterXK8sIo` of `cluster.x-k8s.io`. */
const camel = (group: string): string =>
  group.replace(/(?:^|[^a-z0-9])([a-z0-9])/g, (_, first: string) => first.toUpperCase());

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** `listClusterXK8sIoV1beta1NamespacedMachine` of operations, `clusterXK8sIo_v1beta1` of tags. */
export function swapCamel(mapping: GroupMapping, text: string): string {
  for (const needle of mapping.needles) {
    const upper = camel(needle);
    const other = camel(mapping.swap(needle));
    const inside = new RegExp(`${upper}(?=V[0-9]|_v[0-9])`);
    if (inside.test(text)) return text.replace(inside, other);
    const first = lowerFirst(upper);
    if (text.startsWith(first) && /^_v[0-9]/.test(text.slice(first.length)))
      return lowerFirst(other) + text.slice(first.length);
  }
  return text;
}

/** The list of documents: which paths there are and where each is. */
export function openApiIndexShape({ mapping }: Fields): Shape {
  const url: Shape = { text: (path) => swapDocumentUrl(mapping, path) };
  const paths: Shape = { ...pathKeys(mapping), others: { members: members({ serverRelativeURL: url }) } };
  return { members: members({ paths }) };
}

/** One document, of version 3 or 2: every spelling of a group in it. Descriptions are for people and stay. */
export function openApiShape({ mapping, groupKind }: Fields): Shape {
  const schema: Shape = {};
  const reference: Shape = { text: (text) => swapReference(mapping, text), others: schema };
  const kinds: Shape = { ...groupKind, items: groupKind };
  schema.members = members({
    $ref: reference,
    'x-kubernetes-group-version-kind': kinds,
    // Its members are called as users please, and are schemas.
    properties: { others: schema },
    // Values, not schemas.
    default: UNTOUCHED,
    enum: UNTOUCHED,
    example: UNTOUCHED,
  });
  reference.members = schema.members;
  schema.others = schema;
  schema.items = schema;
  const camelText: Shape = { text: (text) => swapCamel(mapping, text) };
  const operation: Shape = {
    ...schema,
    members: new Map([...schema.members, ['operationId', camelText], ['tags', { items: camelText }]]),
  };
  const paths: Shape = {
    ...pathKeys(mapping),
    others: { others: operation, members: members({ parameters: schema }) },
  };
  const schemas: Shape = {
    keys: (name) => swapSchemaName(mapping, name),
    decideByKey: (name) => (mapping.side(groupOfSchema(name)) === 'standard' ? 'drop' : 'keep'),
    others: schema,
  };
  return {
    members: members({ paths, components: { members: members({ schemas }), others: schema }, definitions: schemas }),
  };
}

/** Paths of the platform's groups are left out. */
function pathKeys(mapping: GroupMapping): Shape {
  return {
    keys: (path) => swapApiPath(mapping, path),
    decideByKey: (path) => (mapping.side(groupOfApiPath(path)) === 'standard' ? 'drop' : 'keep'),
  };
}
