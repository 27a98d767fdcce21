/** Random rules, alternatives and limits that follow from others, or nearly do. */
import type { Dice } from './proof/random.js';

type Json = Record<string, unknown>;

const names = ['a', 'b', 'c', 'd'];

function membersOf(node: Json): Record<string, Json> {
  return (node['properties'] as Record<string, Json> | undefined) ?? {};
}

/** A condition about the members of an object that a variable stands for. */
function condition(dice: Dice, node: Json, variable: string, depth: number): string {
  const members = membersOf(node);
  const known = Object.keys(members).filter((name) => names.includes(name));
  const name = dice.pick(known);
  if (name === undefined) return 'true';
  const has = `has(${variable}.${name})`;
  const member = members[name] ?? {};
  if (depth > 0 && dice.chance(0.6)) return compound(dice, node, variable, depth - 1);
  const items = member['items'] as Json | undefined;
  if (items?.['type'] === 'object' && dice.chance(0.7)) return `!${has} || ${aboutItems(dice, items, variable, name)}`;
  return aboutMember(dice, member, `${variable}.${name}`);
}

function aboutMember(dice: Dice, { format, type }: Json, member: string): string {
  if (type === 'string' && format === undefined && dice.chance(0.5)) return aboutText(dice, member);
  if (type === 'boolean' && dice.chance(0.4)) return `(!has(${member}) || ${member})`;
  return dice.chance(0.4) ? `!has(${member})` : `has(${member})`;
}

function aboutItems(dice: Dice, items: Json, variable: string, name: string): string {
  const macro = dice.pick(['all', 'exists']) ?? 'all';
  const inner = variable === 'self' ? 'x' : 'y';
  return `${variable}.${name}.${macro}(${inner}, ${condition(dice, items, inner, 1)})`;
}

function aboutText(dice: Dice, text: string): string {
  const compared = `${text} ${dice.pick(['==', '!=']) ?? '=='} '${dice.pick(['A', 'B', 'x', '']) ?? ''}'`;
  return dice.chance(0.8)
    ? `(${dice.pick(['!', '']) ?? ''}has(${text}) ${dice.pick(['||', '&&']) ?? '||'} ${compared})`
    : compared;
}

function compound(dice: Dice, node: Json, variable: string, depth: number): string {
  const part = (): string => condition(dice, node, variable, depth);
  switch (dice.below(6)) {
    case 0:
      return `(${part()} && ${part()})`;
    case 1:
      return `(${part()} ? ${part()} : ${part()})`;
    case 2:
      return `((${part()}) ? 1 : 0) + ((${part()}) ? 1 : 0) <= ${dice.below(3)}`;
    case 3:
      return `[${part()}, ${part()}].filter(z, z == true).size() <= ${dice.below(3)}`;
    case 4:
      return `!(${part()})`;
    default:
      return `(${part()} || ${part()})`;
  }
}

/** A rule about an object. */
export function objectRule(dice: Dice, node: Json): Json {
  return { rule: condition(dice, node, 'self', 2) };
}

/** Another rule that often follows from one. */
function weaker(dice: Dice, node: Json, rule: string): string {
  const more = condition(dice, node, 'self', 1);
  switch (dice.below(5)) {
    case 0:
      return `(${more}) || (${rule})`;
    case 1:
      return `(${rule}) || !(${more})`;
    case 2:
      return `(${more}) ? (${rule}) : true`;
    case 3:
      return `(${rule}) && (${more})`;
    default:
      return rule.includes(' && ') ? rule.replace(' && ', ' || ') : more;
  }
}

function alternatives(dice: Dice): readonly Json[] {
  const all: Json[] = [
    ...names.map((name) => ({ required: [name] })),
    { not: { required: ['d'] } },
    { anyOf: [{ required: ['d'] }, { required: ['a'] }] },
  ];
  return all.filter(() => dice.chance(0.45));
}

/** Rules and alternatives of an object. */
export function demand(dice: Dice, node: Json): void {
  if (dice.chance(0.14)) node['x-kubernetes-validations'] = [objectRule(dice, node)];
  if (dice.chance(0.06)) node[dice.pick(['anyOf', 'oneOf', 'allOf']) ?? 'anyOf'] = alternatives(dice);
  if (dice.chance(0.03)) node['not'] = { required: ['d'] };
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(node[keyword]) && node[keyword].length === 0) delete node[keyword];
  }
}

const movable = [
  'maxLength',
  'minLength',
  'pattern',
  'maximum',
  'minimum',
  'multipleOf',
  'maxItems',
  'minItems',
  'required',
];

/** The node with a demand moved into its allOf, or out of it. */
export function moved(dice: Dice, node: Json): void {
  const all = (node['allOf'] as Json[] | undefined) ?? [];
  const [first] = all;
  if (first !== undefined && dice.chance(0.5)) {
    Object.assign(node, { ...first, ...(dice.chance(0.3) && { maxLength: 4 }) });
    node['allOf'] = all.slice(1);
    if (all.length === 1) delete node['allOf'];
    return;
  }
  const keyword = dice.pick(movable.filter((each) => node[each] !== undefined));
  if (keyword === undefined) return;
  const branch: Json = { [keyword]: node[keyword] };
  const exclusive = { maximum: 'exclusiveMaximum', minimum: 'exclusiveMinimum' }[keyword];
  if (exclusive !== undefined && node[exclusive] !== undefined) branch[exclusive] = node[exclusive];
  node['allOf'] = [...all, branch];
  if (dice.chance(0.9)) {
    delete node[keyword];
    if (exclusive !== undefined) delete node[exclusive];
  }
}

/** A change of what an object demands. */
export function changeDemands(dice: Dice, node: Json): void {
  const [first] = (node['x-kubernetes-validations'] as Json[] | undefined) ?? [];
  const { anyOf, oneOf } = node;
  if (Array.isArray(oneOf) && dice.chance(0.6)) {
    if (dice.chance(0.5)) delete node['oneOf'];
    node['anyOf'] = [...(oneOf as Json[]), ...alternatives(dice)];
  } else if (Array.isArray(anyOf) && dice.chance(0.6)) node['anyOf'] = [...(anyOf as Json[]), ...alternatives(dice)];
  else if (first !== undefined && dice.chance(0.8))
    node['x-kubernetes-validations'] = [{ rule: weaker(dice, node, String(first['rule'])) }];
  else demand(dice, node);
}
