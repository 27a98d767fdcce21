import { structByName } from '@capstan/api/kubernetes';
import type { FieldDef, StructDef, TypeRef } from '@capstan/api/kubernetes';
import { BY_FIELD, BY_STRUCT, EMBEDDED, NAMED_KINDS, NAMED_RESOURCES, KIND_FIELDS } from './places.js';
import type { Meaning } from './places.js';
import type { TextChange } from '../json/shape.js';

/** What is done with a message: by field number. */
export interface MessagePlan {
  readonly fields: readonly (FieldPlan | undefined)[];
}

interface MutablePlan extends MessagePlan {
  readonly fields: (FieldPlan | undefined)[];
}

/** What is done with a field; all of a repeated one are treated alike. */
export interface FieldPlan {
  /** It is a string. */
  readonly text?: TextChange;
  /** It is a message. */
  readonly message?: MessagePlan;
  /** It is a whole object, as JSON or with an envelope of its own. */
  readonly isEmbedded?: boolean;
  /** Only if its sibling names a kind whose objects are named after a group. */
  readonly kindField?: KindField;
  /** Messages that are left out, by the name in their metadata. */
  readonly isHidden?: (name: string) => boolean;
  /** Strings that are left out. */
  readonly isHiddenText?: (text: string) => boolean;
}

/** A field with the kind or resource of a name in the same message. */
export interface KindField {
  /** The numbers that lead there, from the message both are in. */
  readonly path: readonly number[];
  /** Its values for kinds whose objects are named after groups. */
  readonly names: ReadonlySet<string>;
}

/** What becomes of a string, by what it means. */
export type Changes = Readonly<Record<Meaning, TextChange>>;

/** Turns type tables into plans; structs that carry no group anywhere are not in them. */
export class Planner {
  readonly #changes: Changes;
  readonly #isHiddenGroup: ((group: string) => boolean) | undefined;
  readonly #plans = new Map<string, MutablePlan>();

  constructor(changes: Changes, isHiddenGroup?: (group: string) => boolean) {
    this.#changes = changes;
    this.#isHiddenGroup = isHiddenGroup;
  }

  /** The plan of a struct; undefined when there is nothing to do in it. */
  plan(struct: StructDef): MessagePlan | undefined {
    const plan = this.#planOf(struct);
    prune(plan, new Set());
    return hasPlaces(plan, new Set()) ? plan : undefined;
  }

  #planOf(struct: StructDef): MutablePlan {
    const known = this.#plans.get(struct.qualifiedName);
    if (known !== undefined) return known;
    const fields: (FieldPlan | undefined)[] = [];
    const plan: MutablePlan = { fields };
    // Before its fields are looked at, for structs may hold themselves.
    this.#plans.set(struct.qualifiedName, plan);
    for (const field of struct.ownFields) {
      if (field.proto === 0) continue;
      const planned = this.#fieldPlan(struct, field);
      if (planned !== undefined) fields[field.proto] = planned;
    }
    return plan;
  }

  #fieldPlan(struct: StructDef, field: FieldDef): FieldPlan | undefined {
    const { type } = field;
    if (EMBEDDED.has(`${struct.qualifiedName}.${field.name}`))
      return { message: { fields: [undefined, { isEmbedded: true }] } };
    const own = BY_STRUCT.get(struct.qualifiedName);
    const meaning = own !== undefined && field.name in own ? own[field.name] : BY_FIELD.get(field.name);
    if (meaning === undefined) return this.#typePlan(type);
    if (meaning === 'name') return { text: this.#changes.name, kindField: kindFieldOf(struct) };
    const text = this.#textPlan(meaning);
    if (type.kind === 'map') return { message: { fields: [undefined, text] } };
    return isText(type) ? text : this.#typePlan(type);
  }

  #textPlan(meaning: Meaning): FieldPlan {
    const text = this.#changes[meaning];
    const isHiddenText = meaning === 'allowedGroup' ? this.#isHiddenGroup : undefined;
    return isHiddenText === undefined ? { text } : { text, isHiddenText };
  }

  #typePlan(type: TypeRef): FieldPlan | undefined {
    switch (type.kind) {
      case 'struct':
        return { message: this.#planOf(type.struct) };
      case 'list': {
        const element = this.#typePlan(type.element);
        return type.wrapped && element !== undefined ? { message: { fields: [undefined, element] } } : element;
      }
      case 'map': {
        const value = this.#typePlan(type.value);
        return value === undefined ? undefined : { message: { fields: [undefined, undefined, value] } };
      }
      default:
        return undefined;
    }
  }
}

function isText(type: TypeRef): boolean {
  return type.kind === 'list' ? isText(type.element) : type.kind === 'scalar' && type.scalar === 'string';
}

/** Takes messages out that lead to no place, in everything that can be reached. */
function prune(plan: MutablePlan, seen: Set<MutablePlan>): void {
  if (seen.has(plan)) return;
  seen.add(plan);
  for (const [number, field] of plan.fields.entries()) {
    if (field?.message === undefined) continue;
    if (hasPlaces(field.message, new Set())) prune(field.message as MutablePlan, seen);
    else plan.fields[number] = undefined;
  }
}

function hasPlaces(plan: MessagePlan, seen: Set<MessagePlan>): boolean {
  if (seen.has(plan)) return false;
  seen.add(plan);
  return plan.fields.some(
    (field) => field !== undefined && (field.message === undefined || hasPlaces(field.message, seen)),
  );
}

function kindFieldOf(struct: StructDef): KindField {
  const name = KIND_FIELDS.get(struct.qualifiedName) ?? '';
  return { path: pathTo(struct, name) ?? [], names: name === 'kind' ? NAMED_KINDS : NAMED_RESOURCES };
}

function pathTo(struct: StructDef, name: string): readonly number[] | undefined {
  for (const field of struct.ownFields) {
    if (!field.inline && field.name === name) return [field.proto];
    if (!field.inline || field.type.kind !== 'struct' || field.proto === 0) continue;
    const rest = pathTo(field.type.struct, name);
    if (rest !== undefined) return [field.proto, ...rest];
  }
  return undefined;
}

/** The plan of a struct that is known to be in the tables and to carry groups. */
export function plannedStruct(planner: Planner, qualifiedName: string): MessagePlan {
  const struct = structByName(qualifiedName);
  return (struct === undefined ? undefined : planner.plan(struct)) ?? { fields: [] };
}
