/** The type fields and the metadata of embedded resources, with what the server adds to their schemas. */
import { type SchemaNode, parseSchema } from '@capstan/schema';

const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };
const keep = { 'x-kubernetes-preserve-unknown-fields': true };

/** What metadata has, as far as schemas may say more about it. */
export const metadataMembers: Readonly<Record<string, object>> = {
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  labels: texts,
  annotations: texts,
  finalizers: { type: 'array', items: text },
  ownerReferences: { type: 'array', items: { type: 'object', ...keep } },
};

/** What the server itself asks of the members of every resource, whatever its schema declares. */
const implicit: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  apiVersion: { ...text, minLength: 1 },
  kind: { ...text, minLength: 1 },
  metadata: { type: 'object', ...keep, properties: metadataMembers },
};

const undeclared = new Map(Object.entries(implicit).map(([name, schema]) => [name, parseSchema(schema)]));
const declared = new WeakMap<object, SchemaNode>();

function withImplicit(name: string, { raw }: SchemaNode): SchemaNode {
  const own = implicit[name] ?? {};
  const given = raw as Readonly<Record<string, unknown>>;
  if (name !== 'metadata')
    return parseSchema({ ...own, ...given, minLength: Math.max(1, Number(given['minLength'] ?? 1)) });
  const properties = { ...(own['properties'] as object), ...(given['properties'] as object | undefined) };
  return parseSchema(given['additionalProperties'] === undefined ? { ...own, ...given, ...keep, properties } : given);
}

/** The schema of a type field or the metadata of an embedded resource: as declared, and what the server adds to that. */
export function embeddedMember(name: string, node: SchemaNode | undefined): SchemaNode | undefined {
  if (node === undefined) return undeclared.get(name);
  let known = declared.get(node.raw);
  if (known === undefined) declared.set(node.raw, (known = withImplicit(name, node)));
  return known;
}
