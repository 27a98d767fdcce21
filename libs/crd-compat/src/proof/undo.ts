/** A live schema with the one change undone that a finding is about: what is then no different was different because of it. */
import { deepEqual, getOwn } from '@capstan/meta';
import { StructuralSchema } from '@capstan/schema';
import type { RuleId } from '../catalogue.js';
import type { Draft, Site, Step } from '../drafts/site.js';
import { knownNodes } from '../definition.js';

type Raw = Readonly<Record<string, unknown>>;

const listKeywords = ['x-kubernetes-list-type', 'x-kubernetes-list-map-keys'];
const restKeywords = ['additionalProperties', 'x-kubernetes-preserve-unknown-fields'];

/** The keywords of a node that a finding is about. */
const keywords: Readonly<Partial<Record<RuleId, readonly string[]>>> = {
  'alternatives-changed': ['allOf', 'anyOf', 'not', 'oneOf', 'enum'],
  'default-added': ['default'],
  'default-changed': ['default'],
  'default-removed': ['default'],
  'embedded-resource-added': ['x-kubernetes-embedded-resource'],
  'embedded-resource-removed': ['x-kubernetes-embedded-resource'],
  'enum-added': ['enum'],
  'enum-value-removed': ['enum'],
  'format-changed': ['format'],
  'format-took-lists': ['format'],
  'list-map-keys-changed': listKeywords,
  'list-type-changed': listKeywords,
  'map-became-struct': restKeywords,
  'map-type-changed': ['x-kubernetes-map-type'],
  'max-items-tightened': ['maxItems'],
  'max-length-tightened': ['maxLength'],
  'max-properties-tightened': ['maxProperties'],
  'maximum-tightened': ['maximum', 'exclusiveMaximum'],
  'min-items-tightened': ['minItems'],
  'min-length-tightened': ['minLength'],
  'min-properties-tightened': ['minProperties'],
  'minimum-tightened': ['minimum', 'exclusiveMinimum'],
  'multiple-of-tightened': ['multipleOf'],
  'nullable-keeps-null': ['nullable'],
  'nullable-refuses-null': ['nullable'],
  'nullable-removed': ['nullable'],
  'pattern-changed': ['pattern'],
  'unknown-fields-pruned': restKeywords,
};

function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keys that lead from a node to the one below a step. */
function keysTo(node: Raw, step: Step): readonly string[] {
  if (step.kind === 'item') return ['items'];
  const { properties } = node;
  const isNamed = step.kind === 'property' && isRaw(properties) && Object.hasOwn(properties, step.name);
  return isNamed ? ['properties', step.name] : ['additionalProperties'];
}

function childOf(node: Raw, step: Step): Raw | undefined {
  const child = keysTo(node, step).reduce<unknown>((at, key) => (isRaw(at) ? getOwn(at, key) : undefined), node);
  return isRaw(child) ? child : undefined;
}

function nodeAt(root: Raw, site: Site): Raw | undefined {
  return site.reduce<Raw | undefined>((node, step) => node && childOf(node, step), root);
}

type Change = (node: Raw) => Raw | undefined;

/** A copy with the node at a site changed; undefined where there is none, or the change makes no sense. */
function changedAt(root: Raw, [step, ...rest]: Site, change: Change): Raw | undefined {
  if (step === undefined) return change(root);
  const [key = '', name] = keysTo(root, step);
  const child = childOf(root, step);
  const inner = child && changedAt(child, rest, change);
  if (inner === undefined) return undefined;
  return { ...root, [key]: name === undefined ? inner : { ...(root[key] as Raw), [name]: inner } };
}

function without(node: Raw, names: readonly string[]): Raw {
  return Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)));
}

function withMember(node: Raw, name: string, member: Raw | undefined): Raw {
  const properties = without((node['properties'] ?? {}) as Raw, [name]);
  return { ...node, properties: member === undefined ? properties : { ...properties, [name]: member } };
}

/** The keywords as the requirement has them; where they do not differ, keywords that only the live schema has are dropped. */
function withKeywords(node: Raw, wanted: Raw, names: readonly string[]): Raw {
  if ([node, wanted].some((each) => demandedInAllOf(each, names).length > 0)) return withDemands(node, wanted, names);
  const differing = names.filter((name) => !deepEqual(node[name], wanted[name]));
  if (differing.length === 0) return without(node, names);
  const restored = differing.filter((name) => wanted[name] !== undefined).map((name) => [name, wanted[name]] as const);
  return { ...without(node, differing), ...Object.fromEntries(restored) };
}

function only(node: Raw, names: readonly string[]): Raw {
  return Object.fromEntries(Object.entries(node).filter(([name]) => names.includes(name)));
}

function branchesOf(node: Raw, change: (branch: Raw) => Raw): readonly Raw[] {
  const branches = Array.isArray(node['allOf']) ? node['allOf'].filter(isRaw).map(change) : [];
  return branches.filter((each) => Object.keys(each).length > 0);
}

function demandedInAllOf(node: Raw, names: readonly string[]): readonly Raw[] {
  return names.includes('allOf') ? [] : branchesOf(node, (branch) => only(branch, names));
}

/** The same where a keyword stands in `allOf` on either side, which asks for it like the node itself. */
function withDemands(node: Raw, wanted: Raw, names: readonly string[]): Raw {
  const allOf = [...branchesOf(node, (branch) => without(branch, names)), ...demandedInAllOf(wanted, names)];
  const rest = { ...without(node, [...names, 'allOf']), ...only(wanted, names) };
  return allOf.length === 0 ? rest : { ...rest, allOf };
}

function withoutRule(node: Raw, rule: unknown): Raw {
  const rules = (node['x-kubernetes-validations'] ?? []) as readonly Raw[];
  return { ...node, 'x-kubernetes-validations': rules.filter((each) => each['rule'] !== rule) };
}

/** The field as the requirement has it, or left out. */
function restored(live: Raw, required: Raw, site: Site): Raw | undefined {
  const wanted = nodeAt(required, site);
  const last = site.at(-1);
  if (last?.kind === 'property')
    return changedAt(live, site.slice(0, -1), (node) => withMember(node, last.name, wanted));
  return changedAt(live, site, () => wanted ?? { 'x-kubernetes-preserve-unknown-fields': true, nullable: true });
}

/** Whether a field has a schema of its own, and is not one of the rest. */
function isNamed(root: Raw, site: Site): boolean {
  const last = site.at(-1);
  if (last?.kind !== 'property') return true;
  const properties = nodeAt(root, site.slice(0, -1))?.['properties'];
  return isRaw(properties) && Object.hasOwn(properties, last.name);
}

function isRequiredNow(rule: RuleId): boolean {
  return rule === 'required-added' || rule === 'required-excluded-field';
}

function undoneRaw(live: Raw, required: Raw, draft: Draft): Raw | undefined {
  const { rule, site } = draft;
  const last = site.at(-1);
  if (isRequiredNow(rule) && last?.kind === 'property') {
    return changedAt(live, site.slice(0, -1), (node) => ({
      ...node,
      required: ((node['required'] ?? []) as readonly string[]).filter((name) => name !== last.name),
    }));
  }
  if (rule.startsWith('rule-')) return changedAt(live, site, (node) => withoutRule(node, draft.live));
  const names = keywords[rule];
  // What is not declared is kept as it is.
  const wanted =
    nodeAt(required, site) ?? (names === restKeywords ? { 'x-kubernetes-preserve-unknown-fields': true } : {});
  if (names === undefined || !isNamed(live, site)) return restored(live, required, site);
  return changedAt(live, site, (node) => withKeywords(node, wanted, names)) ?? restored(live, required, site);
}

/**
 * The required schema with the change of a finding and no other; undefined for changes that add something to a node, which
 * are undone instead.
 */
export function isolated(
  live: StructuralSchema,
  required: StructuralSchema,
  draft: Draft,
): StructuralSchema | undefined {
  const { extent, rule } = draft;
  if (isRequiredNow(rule) || rule.startsWith('rule-') || (rule !== 'type-changed' && extent !== undefined))
    return undefined;
  return undone(required, live, draft);
}

/** The live schema without the change of a finding; undefined where it cannot be undone by itself. */
export function undone(live: StructuralSchema, required: StructuralSchema, draft: Draft): StructuralSchema | undefined {
  const raw = undoneRaw(live.root.raw as Raw, required.root.raw as Raw, draft);
  return raw === undefined ? undefined : new StructuralSchema(raw, { minor: live.minor, known: knownNodes });
}
