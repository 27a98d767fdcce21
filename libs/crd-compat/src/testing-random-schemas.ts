/** Random structural schemas, and random changes of them. */
import { cloneJson } from '@capstan/meta';
import type { Dice } from './proof/random.js';
import { changeDemands, demand, moved } from './testing-random-implications.js';

/** A schema as JSON. */
export type Json = Record<string, unknown>;

const names = ['a', 'b', 'c'];
const patterns = [
  '^[a-z]+$',
  '^[a-z][a-z]*$',
  '^[a-z]{1,3}$',
  '^[a-z]{1,6}$',
  '^a',
  '[0-9]$',
  '^[a-zA-Z0-9-]*$',
  '^(?:[A-Z]|[a-z0-9]+)$',
  '^.{0,4}$',
];
const formats = ['ipv4', 'date', 'hexcolor', 'mac', 'date-time', 'uuid', 'byte', 'duration', 'my-format', 'password'];

function bounds(dice: Dice): Json {
  const low = dice.below(5);
  return {
    ...(dice.chance(0.3) && { minimum: low, ...(dice.chance(0.2) && { exclusiveMinimum: true }) }),
    ...(dice.chance(0.3) && { maximum: low + 2 + dice.below(20), ...(dice.chance(0.2) && { exclusiveMaximum: true }) }),
    ...(dice.chance(0.1) && { multipleOf: 1 + dice.below(3) }),
  };
}

function texts(dice: Dice): Json {
  return {
    type: 'string',
    ...(dice.chance(0.2) && { minLength: dice.below(3) }),
    ...(dice.chance(0.3) && { maxLength: dice.chance(0.3) ? (dice.pick([7, 10, 36, 59]) ?? 7) : 3 + dice.below(6) }),
    ...(dice.chance(0.25) && { pattern: dice.pick(patterns) }),
    ...(dice.chance(0.2) && { format: dice.pick(formats) }),
    ...(dice.chance(0.2) && { enum: ['A', 'B', 'c1'].slice(0, 1 + dice.below(3)) }),
  };
}

function scalar(dice: Dice): Json {
  const kind = dice.below(6);
  const node: Json =
    kind === 0
      ? { type: 'boolean' }
      : kind === 1
        ? { type: 'number', ...bounds(dice) }
        : kind === 2
          ? { type: 'integer', ...bounds(dice), ...(dice.chance(0.3) && { format: dice.pick(['int32', 'int64']) }) }
          : kind === 3
            ? { 'x-kubernetes-int-or-string': true }
            : texts(dice);
  if (dice.chance(0.12)) node['nullable'] = true;
  if (dice.chance(0.1) && node['type'] === 'integer') node['x-kubernetes-validations'] = [rule(dice)];
  if (dice.chance(0.08)) moved(dice, node);
  return node;
}

function rule(dice: Dice): Json {
  return { rule: dice.pick([`self < ${10 + dice.below(10)}`, `self != ${dice.below(9)}`, 'self >= oldSelf']) };
}

function listOf(dice: Dice, depth: number): Json {
  const items = dice.chance(0.4) && depth > 0 ? objectOf(dice, depth - 1) : scalar(dice);
  const node: Json = { type: 'array', items };
  if (dice.chance(0.3)) node['maxItems'] = 2 + dice.below(3);
  if (dice.chance(0.2)) node['minItems'] = dice.below(2);
  if (items['type'] === 'string' && dice.chance(0.4)) node['x-kubernetes-list-type'] = dice.pick(['set', 'atomic']);
  const first = (items['properties'] as Record<string, Json> | undefined)?.['a'];
  if (first?.['type'] === 'string' && dice.chance(0.5)) {
    items['required'] = [...new Set([...((items['required'] as string[] | undefined) ?? []), 'a'])];
    delete first['nullable'];
    delete first['default'];
    Object.assign(node, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] });
  }
  return node;
}

/** A default that any server would take for the node; none for what has parts. */
function withDefault(dice: Dice, node: Json): Json {
  const plain = Object.keys(node).every((key) => key === 'type' || key === 'nullable');
  if (!plain || !dice.chance(0.25)) return node;
  const value = { string: 'x', integer: 3, number: 2, boolean: true }[String(node['type'])];
  return value === undefined ? node : { ...node, default: value };
}

/** Members that a resource has by itself, declared or not. */
function typeMembers(dice: Dice): Record<string, Json> {
  const text = (...values: readonly string[]): Json => ({
    type: 'string',
    ...(dice.chance(0.3) && { enum: ['v1', 'ConfigMap', ...values].slice(0, 2 + dice.below(2)) }),
    ...(dice.chance(0.2) && { maxLength: 3 + dice.below(9) }),
  });
  const metadata: Json = { type: 'object' };
  if (dice.chance(0.6))
    metadata['properties'] = { name: texts(dice), labels: { type: 'object', additionalProperties: texts(dice) } };
  if (dice.chance(0.2)) metadata['required'] = ['labels'];
  if (dice.chance(0.3)) metadata['x-kubernetes-preserve-unknown-fields'] = true;
  return {
    ...(dice.chance(0.5) && { apiVersion: text('apps/v1') }),
    ...(dice.chance(0.5) && { kind: text('Secret') }),
    ...(dice.chance(0.5) && { metadata }),
  };
}

function resourceOf(dice: Dice): Json {
  const node: Json = { type: 'object', properties: { ...typeMembers(dice), a: scalar(dice) } };
  if (dice.chance(0.8)) node['x-kubernetes-embedded-resource'] = true;
  if (dice.chance(0.2)) node['x-kubernetes-preserve-unknown-fields'] = true;
  if (dice.chance(0.15)) node['required'] = ['metadata'];
  return node;
}

/** The schema of whole objects around that of their spec, whose type fields may be restricted. */
export function rootOf(dice: Dice, spec: Json): Json {
  const kind = { type: 'string', ...(dice.chance(0.5) && { enum: ['Widget', 'Other'].slice(dice.below(2)) }) };
  const apiVersion = { type: 'string', ...(dice.chance(0.3) && { pattern: dice.pick(['^example', '^other']) }) };
  const own = dice.chance(0.1) ? { apiVersion, kind } : {};
  return { type: 'object', properties: { ...own, spec } };
}

/** Keywords about objects besides their members. */
function constrain(dice: Dice, node: Json, depth: number): void {
  if (dice.chance(0.1)) node['x-kubernetes-preserve-unknown-fields'] = true;
  if (dice.chance(0.06)) node['x-kubernetes-map-type'] = 'atomic';
  if (dice.chance(0.06)) node['maxProperties'] = 2 + dice.below(2);
  if (dice.chance(0.1)) node['anyOf'] = [{ required: ['a'] }, { required: ['b'] }].slice(dice.below(2));
  if (dice.chance(0.05)) node['not'] = { required: ['a', 'c'] };
  if (dice.chance(0.04) && depth < 1) node['enum'] = [{}, { a: 'x' }, { b: true }, { a: 3, c: 'x' }];
}

/** A random object schema. */
export function objectOf(dice: Dice, depth: number): Json {
  if (dice.chance(0.08)) return resourceOf(dice);
  const node: Json = { type: 'object' };
  if (dice.chance(0.12)) return { ...node, additionalProperties: depth > 0 ? nodeOf(dice, depth - 1) : scalar(dice) };
  const properties: Record<string, Json> = {};
  for (const name of names) if (dice.chance(0.7)) properties[name] = withDefault(dice, nodeOf(dice, depth - 1));
  if (Object.keys(properties).length > 0) node['properties'] = properties;
  const required = Object.keys(properties).filter(() => dice.chance(0.25));
  if (required.length > 0) node['required'] = required;
  constrain(dice, node, depth);
  demand(dice, node);
  return node;
}

/** A random schema of any type; below depth 0 one without parts. */
export function nodeOf(dice: Dice, depth: number): Json {
  const kind = depth < 0 ? 0 : dice.below(4);
  return kind === 1 ? objectOf(dice, depth) : kind === 2 ? listOf(dice, depth) : scalar(dice);
}

function innerNodes(node: Json, out: Json[] = []): Json[] {
  out.push(node);
  for (const inner of Object.values((node['properties'] as Record<string, Json> | undefined) ?? {}))
    innerNodes(inner, out);
  for (const key of ['items', 'additionalProperties']) {
    const inner = node[key];
    if (typeof inner === 'object' && inner !== null) innerNodes(inner as Json, out);
  }
  return out;
}

function replaceWith(node: Json, other: Json): void {
  for (const key of Object.keys(node)) delete node[key];
  Object.assign(node, other);
}

function changeMembers(dice: Dice, node: Json): void {
  const properties = { ...(node['properties'] as Record<string, Json> | undefined) };
  const name = dice.pick([...names, 'd']) ?? 'd';
  const required = (node['required'] as string[] | undefined) ?? [];
  const action = dice.below(5);
  if (action === 0) delete properties[name];
  else if (action === 1) properties[name] ??= withDefault(dice, scalar(dice));
  else if (action === 2 && properties[name] !== undefined) node['required'] = [...new Set([...required, name])];
  else if (action === 3) node['required'] = required.slice(1);
  else if (node['x-kubernetes-preserve-unknown-fields'] === true) delete node['x-kubernetes-preserve-unknown-fields'];
  else node['x-kubernetes-preserve-unknown-fields'] = true;
  if (action === 0)
    node['required'] = ((node['required'] as string[] | undefined) ?? []).filter((each) => each !== name);
  node['properties'] = properties;
}

/** Some keywords of another node of the same type. */
function mixIn(dice: Dice, node: Json, other: Json): void {
  for (const key of new Set([...Object.keys(node), ...Object.keys(other)])) {
    if (
      [
        'items',
        'properties',
        'required',
        'type',
        'x-kubernetes-int-or-string',
        'x-kubernetes-list-map-keys',
        'x-kubernetes-list-type',
      ].includes(key)
    )
      continue;
    if (dice.chance(0.6)) continue;
    if (other[key] === undefined) delete node[key];
    else node[key] = other[key];
  }
}

/** The schema with a change or two, which may be none. */
export function changed(dice: Dice, schema: Json): Json {
  const copy = cloneJson(schema);
  for (let count = 1 + dice.below(2); count > 0; count--) {
    const node = dice.pick(innerNodes(copy)) ?? copy;
    if (dice.chance(0.1)) moved(dice, node);
    if (node['type'] === 'object' && dice.chance(0.3)) changeDemands(dice, node);
    changeNode(dice, node);
  }
  return copy;
}

function changeNode(dice: Dice, node: Json): void {
  if (node['x-kubernetes-embedded-resource'] === true && dice.chance(0.7)) replaceWith(node, resourceOf(dice));
  else if (node['type'] === 'object' && node['additionalProperties'] === undefined) {
    if (dice.chance(0.8)) changeMembers(dice, node);
    else mixIn(dice, node, objectOf(dice, -1));
  } else if (dice.chance(0.2)) replaceWith(node, scalar(dice));
  else if (node['type'] === 'string') mixIn(dice, node, texts(dice));
  else if (node['type'] === 'array') mixIn(dice, node, listOf(dice, 0));
  else mixIn(dice, node, withDefault(dice, { ...scalar(dice), type: node['type'] }));
}
