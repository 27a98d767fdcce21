/** Requests of clients that rely on a requirement: objects with a value at a place, which the required side takes. */
import { type FieldError, type JsonObject, cloneJson, invalid } from '@capstan/meta';
import type { SchemaNode, StructuralSchema } from '@capstan/schema';
import { ABSENT, type Draft, type Site, type Trial } from '../drafts/site.js';
import type { Definition } from '../definition.js';
import type { Attempt } from './harm.js';
import { type Keys, schemaOf, setAt } from './places.js';
import { repaired } from './repair.js';
import { Sampler } from './samples.js';
import { type Side, type Write, handled, send } from './server.js';
import { constantsOf } from './texts.js';

/** Who the objects of a proof are. */
export interface Identity {
  readonly version: string;
  readonly definition: Pick<Definition, 'group' | 'names' | 'scope'>;
}

interface Plain {
  readonly object: JsonObject | undefined;
}

/** Ordinary objects by the schema that takes them; none where none was found. */
const ordinary = new WeakMap<StructuralSchema, Plain>();

function asContainer(value: unknown, list: boolean): JsonObject | unknown[] {
  if (Array.isArray(value)) return list ? value : {};
  return typeof value === 'object' && value !== null && !list ? (value as JsonObject) : list ? [] : {};
}

const baseBudget = 600;
const trialBudget = 120;

/** Builds requests. */
export class RequestBuilder {
  readonly #identity: Identity;
  readonly #required: Side;
  readonly #sampler: Sampler;
  #other: Side | undefined;
  /** An ordinary object that the other side takes as well. */
  #common: Plain | undefined;

  constructor(identity: Identity, required: Side, minor: number) {
    this.#identity = identity;
    this.#required = required;
    this.#sampler = new Sampler(0x5eed, minor);
  }

  /** From now on another side must take the objects as well; undefined for none. */
  suit(other: Side | undefined): void {
    this.#other = other;
    this.#common = undefined;
  }

  /** An object with nothing particular in it. */
  ordinary(): JsonObject | undefined {
    return this.#plain();
  }

  /** An object with this value at a place, as it is stored; undefined where the required side takes none such. */
  objectWith(site: Site, leaf: unknown): JsonObject | undefined {
    return this.#build(site, leaf, true)?.request.object as JsonObject | undefined;
  }

  /** Requests that may show a finding, the likeliest first, and then so many with all kinds of values at its place. */
  *requests(draft: Draft, count: number): Generator<Attempt> {
    this.#sampler.hints = draft.hints === undefined ? [] : constantsOf(draft.hints);
    for (const trial of draft.trials ?? []) yield* this.#attempts(draft.site, trial);
    yield* this.#samples(draft, count);
  }

  #skeleton(): JsonObject {
    const { definition, version } = this.#identity;
    const { group, names, scope } = definition;
    const metadata = { name: 'example', ...(scope === 'Namespaced' && { namespace: 'default' }) };
    return { apiVersion: `${group}/${version}`, kind: names.kind, metadata };
  }

  /** What the required side has against a request, or the other one where there is one. */
  #errorsOf(request: Write, before?: unknown): readonly FieldError[] {
    const answer = send(this.#required, request, before);
    if (answer.kind === 'refused') return answer.errors;
    if (answer.pruned.length > 0) return answer.pruned.map((path) => invalid(path, '', 'unknown'));
    return this.#other === undefined ? [] : handled(this.#other, request, before).errors;
  }

  /** A good object with nothing particular in it. */
  #plain(): JsonObject | undefined {
    const { schema } = this.#required;
    const known = this.#other === undefined ? ordinary.get(schema) : this.#common;
    if (known !== undefined) return known.object;
    const least = this.#sampler.least(schema.root) as JsonObject;
    const start = ordinary.get(schema)?.object ?? { ...least, ...this.#skeleton() };
    const { status: _status, ...rest } = start;
    const object = this.#required.hasStatus ? rest : start;
    const options = { kept: undefined, frozen: false, budget: baseBudget };
    const plain: Plain = { object: this.#repair(object, 'create', undefined, options) };
    if (this.#other === undefined) ordinary.set(schema, plain);
    else this.#common = plain;
    return plain.object;
  }

  /** The object with as little changed as the required side needs to take it. */
  #repair(
    object: JsonObject,
    verb: Write['verb'],
    before: unknown,
    options: { readonly kept: Keys | undefined; readonly frozen: boolean; readonly budget: number },
  ): JsonObject | undefined {
    const { root } = this.#required.schema;
    const errorsOf = (value: JsonObject): readonly FieldError[] => this.#errorsOf({ verb, object: value }, before);
    return repaired({ root, sampler: this.#sampler, errorsOf, resource: true, ...options }, object);
  }

  #isStatus(site: Site): boolean {
    const [first] = site;
    return this.#required.hasStatus && first?.kind === 'property' && first.name === 'status';
  }

  /** An object with a value at a site, which the required side takes; and how it is written. */
  #build(site: Site, leaf: unknown, frozen: boolean): (Attempt & { readonly keys: Keys }) | undefined {
    const plain = this.#plain();
    if (plain === undefined) return undefined;
    const status = this.#isStatus(site);
    const { keys, value } = this.#compose(this.#required.schema.root, site, leaf, { frozen, base: plain });
    const object = { ...(value as JsonObject), ...this.#skeletonAround(value as JsonObject) };
    const verb = status ? 'status' : 'create';
    const before = status ? plain : undefined;
    const good = this.#repair(object, verb, before, { kept: keys, frozen, budget: trialBudget });
    if (good === undefined) return undefined;
    return { keys, request: { verb, object: good }, ...(before !== undefined && { before }) };
  }

  /** The type fields, and the metadata where the value does not bring its own. */
  #skeletonAround({ metadata }: JsonObject): JsonObject {
    const skeleton = this.#skeleton();
    return {
      ...skeleton,
      metadata: { ...(skeleton['metadata'] as JsonObject), ...(metadata as JsonObject | undefined) },
    };
  }

  /** A value of a node with another at a site below, made good from the inside out. */
  #compose(
    node: SchemaNode,
    [step, ...rest]: Site,
    leaf: unknown,
    options: { readonly frozen: boolean; readonly base?: JsonObject },
  ): { readonly keys: Keys; readonly value: unknown } {
    if (step === undefined) return { keys: [], value: leaf === ABSENT ? leaf : cloneJson(leaf) };
    const child = schemaOf(node, [step]);
    const inner = this.#compose(child, rest, leaf, { frozen: options.frozen });
    const start = options.base === undefined ? this.#sampler.least(node) : cloneJson(options.base);
    const container = asContainer(start, step.kind === 'item');
    const key = step.kind === 'item' ? 0 : step.kind === 'property' ? step.name : (Object.keys(container)[0] ?? 'key');
    const keys = [key, ...inner.keys];
    setAt(container, [key], inner.value);
    // The caller, which knows the operation, repairs the whole object.
    if (options.base !== undefined) return { keys, value: container };
    return { keys, value: this.#sampler.repaired(node, container, { keys, frozen: options.frozen }) };
  }

  *#attempts(site: Site, trial: Trial): Generator<Attempt> {
    const node = schemaOf(this.#required.schema.root, site);
    if (trial.kind === 'apply-items') {
      const pair =
        trial.itemPair === undefined ? this.#sampler.pair(node) : this.#sampler.itemPair(node, trial.itemPair);
      if (pair !== undefined) yield* this.#applied(site, [pair[0]], [pair[1]]);
      return;
    }
    if (trial.kind === 'apply-members') {
      yield* this.#appliedMembers(site);
      return;
    }
    const leaves = trial.kind === 'value' ? [trial.value] : this.#sampler.shaped(node, trial.hint ?? {});
    for (const leaf of leaves) {
      if (leaf === undefined) continue;
      const built = this.#build(site, leaf, trial.kind === 'value' || trial.hint !== undefined);
      if (built !== undefined) yield built;
    }
  }

  /** One manager applies the first value, another the second. */
  *#applied(site: Site, first: unknown, second: unknown): Generator<Attempt> {
    const before = this.#build(site, first, true);
    if (before === undefined) return;
    const object = cloneJson(before.request.object) as JsonObject;
    setAt(object, before.keys, second);
    yield { before: before.request.object, request: { verb: 'apply', object } };
  }

  *#appliedMembers(site: Site): Generator<Attempt> {
    const node = schemaOf(this.#required.schema.root, site);
    const full = this.#sampler.full(node);
    if (typeof full !== 'object' || full === null) return;
    const names = [...Object.keys(full), 'keyA', 'keyB'];
    const values = full as JsonObject;
    const least = this.#sampler.least(node) as JsonObject;
    for (const one of names) {
      for (const other of names) {
        if (one === other) continue;
        const first = { ...least, [one]: values[one] ?? values[names[0] ?? ''] ?? 'a' };
        const second = { ...least, [other]: values[other] ?? values[names[0] ?? ''] ?? 'a' };
        yield* this.#applied(site, first, second);
      }
    }
  }

  /** Writes with all kinds of values at a place. */
  *#samples({ hints, site }: Draft, count: number): Generator<Attempt> {
    const node = schemaOf(this.#required.schema.root, site);
    const built = this.#build(site, this.#sampler.least(node), false);
    if (built === undefined) return;
    yield built;
    const transition = hints?.includes('oldSelf') === true;
    for (let at = 0; at < count; at++) {
      const object = cloneJson(built.request.object) as JsonObject;
      const leaf = at === 0 ? this.#sampler.full(node) : this.#sampler.any(node);
      if (site.length === 0) Object.assign(object, leaf, this.#skeleton());
      else setAt(object, built.keys, leaf);
      yield* this.#written(built, object, transition);
    }
  }

  /** The object written by itself; or, for rules that look at what was there, as an update to and fro. */
  *#written(base: Attempt, object: JsonObject, transition: boolean): Generator<Attempt> {
    if (!transition) {
      yield { ...base, request: { ...base.request, object } };
      return;
    }
    const before = base.request.object;
    const verb = base.request.verb === 'status' ? 'status' : 'update';
    yield { before, request: { verb, object } };
    yield { before: object, request: { verb, object: before } };
  }
}
