import type { LeafMaker, Side } from '@capstan/convert';
import { Choices, absent, objectMaker } from '@capstan/convert';
import { clusterApiFields } from '@capstan/convert/cluster-api';
import { formatDuration } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { Chance } from '../real/random-objects.js';

/** Versions by the side of the map that has them. */
export const VERSION = { left: 'v1beta1', right: 'v1beta2' } as const;

/** Lists whose items upstream matches by this field; it confuses items that share a value. */
const NAMED: Readonly<Record<string, string>> = { variables: 'name', patches: 'name', definitions: 'from' };
const CHOICES = 900;

const FLAGS = ['uniqueItems', 'exclusiveMaximum', 'x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'];
const SCHEMA_DEPTH = 3;

/** A schema inside a schema, which the list of fields leaves open. */
function innerSchema(random: Choices, depth = 0): JsonObject {
  const schema: JsonObject = { type: ['string', 'object', 'array'][random.below(3)] };
  for (const flag of FLAGS) if (random.below(3) === 0) schema[flag] = random.below(2) === 0;
  if (depth >= SCHEMA_DEPTH) return schema;
  for (const name of ['properties', 'items', 'allOf', 'not']) {
    if (random.below(4) === 0) schema[name] = innerMember(name, random, depth + 1);
  }
  return schema;
}

function innerMember(name: string, random: Choices, depth: number): unknown {
  const count = random.below(3);
  if (name === 'properties')
    return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, innerSchema(random, depth)]));
  if (name.endsWith('Of')) return Array.from({ length: count }, () => innerSchema(random, depth));
  return innerSchema(random, depth);
}

/** What random texts would not hit: types, metadata, and references that upstream can resolve. */
function specialOf(kind: string, side: Side): LeafMaker {
  return (path, random) => {
    if (path === 'apiVersion') return `cluster.x-k8s.io/${VERSION[side]}`;
    if (path === 'kind') return kind;
    if (path === 'metadata') return { name: 'a', namespace: ['a', 'b'][random.below(2)], annotations: { x: 'y' } };
    if (/(?:[rR]ef|Template)\.apiVersion$/.test(path)) return ['infra.example/v1beta7', 'v1beta7', ''][random.below(3)];
    if (/[tT]imeout$/.test(path)) return random.below(4) === 0 ? absent : durationOf(random);
    const inner = /openAPIV3Schema\.(properties|additionalProperties|items|not|allOf|anyOf|oneOf)$/.exec(path)?.[1];
    return inner === undefined ? undefined : innerMember(inner, random, 1);
  };
}

/** Whole seconds and half ones. */
const durationOf = (random: Choices): string => formatDuration(BigInt(random.below(4000)) * 500_000_000n);

/** Gives the items of named lists names of their own. */
function withOwnNames(value: unknown, inside = ''): unknown {
  if (Array.isArray(value)) {
    const key = NAMED[inside];
    return value.map((item, at) => {
      const named = withOwnNames(item) as JsonObject;
      return key === undefined || typeof named !== 'object' ? named : { ...named, [key]: `${String(named[key])}${at}` };
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withOwnNames(inner, name)]));
}

/** Makes random objects of a kind; the same for the same seed. */
export function randomObjects(kind: string, side: Side, seed: number): () => JsonObject {
  const fields = clusterApiFields(kind)[side];
  const make = objectMaker(fields, specialOf(kind, side));
  const chance = new Chance(seed);
  return () => {
    const numbers = Array.from({ length: CHOICES }, () => Math.floor(chance.next() * 0xffff));
    return withOwnNames(make(new Choices(numbers))) as JsonObject;
  };
}
