/** From what the reader of YAML gives to JSON, with the faults of the way in the order in which the real server meets them. */
import { compareBytes, goQuote, setOwn } from '@capstan/meta';
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Document, Node, ParsedNode } from 'yaml';
import { YamlSyntaxError } from './yaml-errors.js';

type Parsed = Document.Parsed<ParsedNode>;

const NO_MERGE = 'yaml: map merge requires map or sequence of maps as the value';

/** Refuses keys that are no keys and merges of what is no map: both are found when the text is read, before all else. */
export function refuseKeys(document: Parsed, valueOf: (node: Node) => unknown): void {
  const visit = (node: unknown): void => {
    if (isSeq(node)) for (const item of node.items) visit(item);
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      if (isMerge(key)) visitMerged(value);
      else {
        visit(key);
        if (isMap(resolved(key)) || isSeq(resolved(key)))
          throw new YamlSyntaxError(`yaml: invalid map key: ${goSyntax(valueOf(resolved(key) as Node))}`);
        visit(value);
      }
    }
  };
  const visitMerged = (value: unknown): void => {
    // Earlier ones count for more, and are read later.
    const sources = isSeq(value) ? value.items.toReversed() : [value];
    for (const source of sources) {
      if (!isMap(resolved(source))) throw new YamlSyntaxError(NO_MERGE);
      if (!isAlias(source)) visit(source);
    }
  };
  const resolved = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  visit(document.contents);
}

function isMerge(key: unknown): boolean {
  return isScalar(key) && key.source === '<<' && (key.type ?? 'PLAIN') === 'PLAIN';
}

/**
 * What JSON there is for a value: its keys are texts and sorted. Integers beyond 2^53 stay exact, all others are plain
 * numbers, as the JSON reader has it.
 */
export function toJson(value: unknown): unknown {
  const converted = withTextKeys(value);
  requireFinite(converted);
  return converted;
}

function withTextKeys(value: unknown): unknown {
  if (typeof value === 'bigint') return jsonInteger(value);
  // Adding zero turns -0 into 0.
  if (typeof value === 'number') return value + 0;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Array.isArray(value)) return value.map(withTextKeys);
  if (!(value instanceof Map)) return value;
  const entries = [...(value as Map<unknown, unknown>)].map(([key, child]) => [keyText(key, child), child] as const);
  const object: Record<string, unknown> = {};
  for (const [key, child] of entries.sort(([a], [b]) => compareBytes(a, b))) setOwn(object, key, withTextKeys(child));
  return object;
}

function jsonInteger(value: bigint): unknown {
  if (Number.isSafeInteger(Number(value))) return Number(value);
  // Beyond what 64 bits hold it is a float.
  return value >= -(2n ** 63n) && value < 2n ** 64n ? value : Number(value);
}

/** JSON has no words for some numbers; that is found out when all is written. */
function requireFinite(value: unknown): void {
  if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) requireFinite(item);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new YamlSyntaxError(`json: unsupported value: ${goNumber(value)}`);
}

function keyText(key: unknown, value: unknown): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean' || typeof key === 'bigint') return String(key);
  if (typeof key === 'number') return Number.isFinite(key) ? String(key) : goFloatName(key);
  throw new YamlSyntaxError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(value)}`);
}

function goFloatName(value: number): string {
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}

function goNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** A value as Go's own syntax. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  if (value instanceof Uint8Array) return goQuote(new TextDecoder().decode(value));
  const inner = (each: unknown): string => (each === null ? 'interface {}(nil)' : goSyntax(each));
  if (Array.isArray(value)) return `[]interface {}{${value.map(inner).join(', ')}}`;
  if (!(value instanceof Map)) return String(value as bigint | boolean);
  const entries = [...(value as Map<unknown, unknown>)].map(([key, child]) => `${inner(key)}:${inner(child)}`);
  return `map[interface {}]interface {}{${entries.sort(compareBytes).join(', ')}}`;
}
