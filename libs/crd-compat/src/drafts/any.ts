/** Schemas that stand for what is not described. */
import { type SchemaNode, parseSchema } from '@capstan/schema';

/** Takes and keeps everything. */
export const ANY: SchemaNode = parseSchema({ 'x-kubernetes-preserve-unknown-fields': true, nullable: true });

/** `additionalProperties: true`: takes everything, but keeps no member of objects. */
const OPEN: SchemaNode = parseSchema({ nullable: true });

/** The schema of members that have none of their own; undefined where such members are dropped. */
export function restOf(node: SchemaNode): SchemaNode | undefined {
  const { additionalProperties } = node;
  if (typeof additionalProperties === 'object') return additionalProperties;
  if (node.preserveUnknownFields === true) return ANY;
  return additionalProperties === true ? OPEN : undefined;
}

/** The schema of items; lists without one keep objects only where unknown fields are kept. */
export function itemsOf(node: SchemaNode): SchemaNode {
  return node.items ?? (node.preserveUnknownFields === true ? ANY : OPEN);
}

/** The names that a resource has by itself. */
export const resourceNames: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
