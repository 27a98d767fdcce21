/** Shows that a finding is real: builds a write, and asks both sides. */
import { type FieldError, type JsonObject, cloneJson, invalid } from '@capstan/meta';
import type { SchemaNode, StructuralSchema } from '@capstan/schema';
import { ABSENT, type Draft, type Site, type Trial } from '../compare/site.js';
import type { Definition } from '../definition.js';
import type { Witness } from '../report.js';
import type { ExclusionTree } from '../selection.js';
import { pathFor } from './paths.js';
import { type Keys, schemaOf, setAt } from './places.js';
import { repaired } from './repair.js';
import { Sampler } from './samples.js';
import { constantsOf } from './texts.js';
import { type Lens, type Side, type Write, judge, send } from './server.js';

/** Who the objects of a proof are. */
export interface Identity {
  readonly version: string;
  readonly definition: Pick<Definition, 'group' | 'names' | 'scope'>;
}

/** Ordinary objects by the schema that takes them; none where none was found. */
const ordinary = new WeakMap<StructuralSchema, { readonly object: JsonObject | undefined }>();

function asContainer(value: unknown, list: boolean): JsonObject | unknown[] {
  if (Array.isArray(value)) return list ? value : {};
  return typeof value === 'object' && value !== null && !list ? (value as JsonObject) : list ? [] : {};
}

interface Attempt {
  readonly before?: unknown;
  readonly request: Write;
}

const baseBudget = 600;
const trialBudget = 120;
const searches = 40;
const ruleSearches = 160;

function dropExcluded(value: unknown, tree: ExclusionTree): void {
  if (Array.isArray(value)) {
    for (const item of value) dropExcluded(item, tree);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const object = value as JsonObject;
  for (const [name, below] of tree) {
    if (below === undefined) delete object[name];
    else dropExcluded(object[name], below);
  }
}

/** Leaves out what is excluded. */
export function lensFor(excluded: ExclusionTree | undefined): Lens {
  return (object) => (excluded === undefined ? undefined : dropExcluded(object, excluded));
}

/** Proofs about one version of two definitions. */
export class Prover {
  readonly #identity: Identity;
  readonly #required: Side;
  readonly #live: Side;
  readonly #lens: Lens;
  readonly #sampler: Sampler;

  constructor(
    identity: Identity,
    sides: { readonly required: Side; readonly live: Side },
    options: { readonly excluded: ExclusionTree | undefined; readonly minor: number },
  ) {
    const { excluded } = options;
    this.#identity = identity;
    this.#required = sides.required;
    this.#live = sides.live;
    this.#lens = lensFor(excluded);
    this.#sampler = new Sampler(0x5eed, options.minor);
  }

  /** A write that shows the finding, or that none could be found. */
  prove(draft: Draft): Witness | 'cannot be proved' {
    this.#sampler.hints = draft.hints === undefined ? [] : constantsOf(draft.hints);
    for (const trial of draft.trials ?? []) {
      for (const attempt of this.#attempts(draft.site, trial)) {
        const witness = this.#witness(attempt);
        if (witness !== undefined) return witness;
      }
    }
    return this.#search(draft) ?? 'cannot be proved';
  }

  /** An object with nothing particular in it, which the required side takes. */
  ordinary(): JsonObject | undefined {
    return this.#plain();
  }

  /** An object with this value at a place, as it is stored; undefined where the required side takes none such. */
  objectWith(site: Site, leaf: unknown): JsonObject | undefined {
    return this.#build(site, leaf, true)?.request.object as JsonObject | undefined;
  }

  /** Writes with all kinds of values at the place of a finding, which the required side takes. */
  *variants(draft: Draft, count: number): Generator<Attempt> {
    this.#sampler.hints = draft.hints === undefined ? [] : constantsOf(draft.hints);
    for (const trial of draft.trials ?? []) yield* this.#attempts(draft.site, trial);
    yield* this.#samples(draft, count);
  }

  #witness({ before, request }: Attempt): Witness | undefined {
    const outcome = judge(this.#required, this.#live, { before, request }, this.#lens);
    if (outcome === undefined) return undefined;
    const { definition, version } = this.#identity;
    const path = pathFor(definition, version, request.verb, request.object as JsonObject);
    const { object, verb } = request;
    return { version, ...(before !== undefined && { before }), request: { verb, path, object }, outcome };
  }

  #skeleton(): JsonObject {
    const { definition, version } = this.#identity;
    const { group, names, scope } = definition;
    const metadata = { name: 'example', ...(scope === 'Namespaced' && { namespace: 'default' }) };
    return { apiVersion: `${group}/${version}`, kind: names.kind, metadata };
  }

  /** What the required side has against a request. */
  #errorsOf(request: Write, before?: unknown): readonly FieldError[] {
    const answer = send(this.#required, request, before);
    if (answer.kind === 'refused') return answer.errors;
    return answer.pruned.map((path) => invalid(path, '', 'unknown'));
  }

  /** A good object with nothing particular in it. */
  #plain(): JsonObject | undefined {
    const { schema } = this.#required;
    const known = ordinary.get(schema);
    if (known !== undefined) return known.object;
    const object = { ...(this.#sampler.least(schema.root) as JsonObject), ...this.#skeleton() };
    if (this.#required.hasStatus) delete object['status'];
    const good = this.#repair(object, 'create', undefined, { kept: undefined, frozen: false, budget: baseBudget });
    ordinary.set(schema, { object: good });
    return good;
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
    // The whole object is made good by whoever knows how it is written.
    if (options.base !== undefined) return { keys, value: container };
    return { keys, value: this.#sampler.mended(node, container, { keys, frozen: options.frozen }) };
  }

  *#attempts(site: Site, trial: Trial): Generator<Attempt> {
    const node = schemaOf(this.#required.schema.root, site);
    if (trial.kind === 'apply-items') {
      const pair = trial.twins === undefined ? this.#sampler.pair(node) : this.#sampler.twins(node, trial.twins);
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

  /** All kinds of values, until one will do. */
  #search(draft: Draft): Witness | undefined {
    for (const attempt of this.#samples(draft, draft.hints === undefined ? searches : ruleSearches)) {
      const found = this.#witness(attempt);
      if (found !== undefined) return found;
    }
    return undefined;
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
