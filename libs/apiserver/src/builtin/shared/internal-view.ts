/** Core objects as the real server prints its own form of them: Go names, nothing left out. */
import { compareBytes } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { BrokenInvariant } from '../../errors.js';
import { INTERNAL_STRUCTS } from './internal-core.table.js';
import { fields, record } from './json.js';

interface InternalField {
  readonly name: string;
  readonly key: string;
  readonly type: string;
}

const ZEROS: Readonly<Record<string, unknown>> = { s: '', i: 0, b: false, q: '0', '?': null };
const parsed = new Map<string, readonly InternalField[]>();

function fieldsOf(struct: string): readonly InternalField[] {
  let known = parsed.get(struct);
  if (known === undefined) {
    const text = INTERNAL_STRUCTS[struct];
    if (text === undefined) throw new BrokenInvariant(`no internal struct ${struct}`);
    known = text.split(' ').filter(Boolean).map(parseField);
    parsed.set(struct, known);
  }
  return known;
}

function parseField(text: string): InternalField {
  const colon = text.indexOf(':');
  const [name = '', key = name.charAt(0).toLowerCase() + name.slice(1)] = text.slice(0, colon).split('=');
  return { name, key, type: text.slice(colon + 1) };
}

/** An object of the named struct. */
export function internalView(struct: string, value: unknown): JsonObject {
  const object = fields(value);
  return Object.fromEntries(fieldsOf(struct).map(({ name, key, type }) => [name, memberView(type, object[key])]));
}

function memberView(type: string, value: unknown): unknown {
  const zero = ZEROS[type];
  if (zero !== undefined) return value ?? zero;
  if (type.startsWith('[')) return Array.isArray(value) ? value.map((item) => internalView(type.slice(1), item)) : null;
  if (type.startsWith('?')) return record(value) ? internalView(type.slice(1), value) : null;
  return internalView(type, value);
}

/** What a pod shares with its host is kept with its security context. */
const HOST_FIELDS = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

/** The spec of a pod. */
export function internalPodSpec(spec: unknown): JsonObject {
  const object = fields(spec);
  const shared = Object.fromEntries(HOST_FIELDS.map((key) => [key, object[key]]));
  return internalView('PodSpec', { ...object, securityContext: { ...fields(object['securityContext']), ...shared } });
}

/** The template of pods: its metadata keeps its JSON names and lies open. */
export function internalTemplate(template: unknown): JsonObject {
  const { metadata, spec } = fields(template);
  const shown = Object.entries(fields(metadata)).map(([key, value]) => [key, record(value) ? sorted(value) : value]);
  return { ...Object.fromEntries(shown), Spec: internalPodSpec(spec) };
}

function sorted(value: unknown): JsonObject {
  return Object.fromEntries(Object.entries(fields(value)).sort(([a], [b]) => compareBytes(a, b)));
}
