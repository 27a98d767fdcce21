import type { Rule, Schema, SchemaFacts } from '@capstan/api/model';

import { singular } from '../draft/names.js';

/** The page's name for a shape with a section of its own; undefined for one described in place. */
export type SectionOf = (schema: Schema) => string | undefined;

/** Text that may stand in a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${cell(text)}${fence}`;
}

/** The type of a node, with a link where the page has a section about it. */
export function typeText(schema: Schema, sectionOf: SectionOf): string {
  if (schema.items !== undefined) return `list of ${typeText(schema.items, sectionOf)}`;
  if (schema.values !== undefined) return `map of ${typeText(schema.values, sectionOf)}`;
  const section = sectionOf(schema);
  if (section !== undefined) return `[${section}](#${anchor(section)})`;
  const { facts } = schema;
  if (facts['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (facts['x-kubernetes-embedded-resource'] === true) return 'Kubernetes object';
  if (schema.type === undefined) return 'anything';
  if (schema.type === 'object' && schema.properties === undefined) return 'any object';
  return typeof facts['format'] === 'string' ? `${schema.type} (${facts['format']})` : schema.type;
}

/** As GitHub makes an anchor of a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** The bounds of a node in words; those of elements follow. */
export function boundsText(schema: Schema): string {
  const own = [
    ...range(schema.facts),
    ...listBounds(schema.facts),
    ...values(schema.facts),
    ...ruleTexts(schema.facts),
  ];
  if (schema.gate !== undefined) own.unshift(`only with ${schema.gate}`);
  const gated = Object.entries(schema.gatedFacts ?? {}).map(([gate, facts]) => {
    const texts = [...range(facts), ...listBounds(facts), ...values(facts), ...ruleTexts(facts)];
    return `with ${gate}: ${texts.length === 0 ? 'none' : texts.join('; ')}`;
  });
  const inner = schema.items ?? schema.values;
  const elements = inner === undefined || inner.properties !== undefined ? '' : boundsText(inner);
  return [...own, ...gated, ...(elements === '' ? [] : [`each: ${elements}`])].join('; ');
}

function between(facts: SchemaFacts, bounds: readonly [low: string, high: string], what: string): string[] {
  const [low, high] = bounds.map((keyword) => facts[keyword] as number | undefined);
  if (low === undefined && high === undefined) return [];
  const text = high === undefined ? `at least ${low}` : `${low === undefined ? 'at most ' : `${low} to `}${high}`;
  // 'at least 1 properties' is nobody's English.
  return [what === '' ? text : `${text} ${text.endsWith(' 1') ? singular(what) : what}`];
}

function range(facts: SchemaFacts): string[] {
  return [
    ...between(facts, ['minLength', 'maxLength'], 'characters'),
    ...between(facts, ['minimum', 'maximum'], ''),
    ...between(facts, ['minItems', 'maxItems'], 'elements'),
    ...between(facts, ['minProperties', 'maxProperties'], 'properties'),
  ];
}

function listBounds(facts: SchemaFacts): string[] {
  const keys = facts['x-kubernetes-list-map-keys'] as readonly string[] | undefined;
  if (keys !== undefined) return [`keyed by ${keys.map(code).join(', ')}`];
  return facts['x-kubernetes-list-type'] === 'set' ? ['no element twice'] : [];
}

function values(facts: SchemaFacts): string[] {
  const found: string[] = [];
  const choices = facts['enum'] as readonly unknown[] | undefined;
  if (choices !== undefined) found.push(`one of ${choices.map((each) => code(JSON.stringify(each))).join(', ')}`);
  if (typeof facts['pattern'] === 'string') found.push(`matches ${code(facts['pattern'])}`);
  if (facts['nullable'] === true) found.push('may be null');
  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'not']) {
    if (facts[keyword] === undefined || facts['x-kubernetes-int-or-string'] === true) continue;
    found.push(`${keyword} ${code(JSON.stringify(facts[keyword]))}`);
  }
  return found;
}

function ruleTexts(facts: SchemaFacts): string[] {
  const list = (facts['x-kubernetes-validations'] ?? []) as readonly Rule[];
  return list.map(({ rule }) => code(rule));
}
