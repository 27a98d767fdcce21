/** Shows that a finding is real: builds a write, and asks both sides. */
import { type FieldError, type JsonObject, cloneJson, invalid } from '@capstan/meta';
import { ABSENT, type Draft, type Site, type Trial } from '../compare/site.js';
import type { Witness, WitnessRequest } from '../report.js';
import type { ExclusionTree } from '../selection.js';
import { type Keys, open, schemaOf, setAt } from './places.js';
import { repaired } from './repair.js';
import { Sampler } from './samples.js';
import { type Lens, type Side, judge, send } from './server.js';

/** Who the objects of a proof are. */
export interface Identity {
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

interface Attempt {
  readonly before?: unknown;
  readonly request: WitnessRequest;
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

/** Constants of a rule or pattern. */
function constantsOf(text: string): unknown[] {
  const found: unknown[] = [];
  for (const [, single, double] of text.matchAll(/'([^']*)'|"([^"]*)"/g)) {
    const value = single ?? double ?? '';
    found.push(value, `${value}x`, `x${value}`);
  }
  for (const [number] of text.matchAll(/-?\b\d+(?:\.\d+)?\b/g)) {
    const value = Number(number);
    found.push(value, value + 1, value - 1);
    if (Number.isInteger(value) && value > 0 && value <= 4096)
      found.push('a'.repeat(value), 'a'.repeat(value + 1), 'a'.repeat(value - 1));
  }
  return found;
}

/** Proofs about one version of two definitions. */
export class Prover {
  readonly #identity: Identity;
  readonly #required: Side;
  readonly #live: Side;
  readonly #lens: Lens;
  readonly #sampler: Sampler;
  #base: JsonObject | undefined;

  constructor(
    identity: Identity,
    sides: { readonly required: Side; readonly live: Side },
    options: { readonly excluded: ExclusionTree | undefined; readonly minor: number },
  ) {
    const { excluded } = options;
    this.#identity = identity;
    this.#required = sides.required;
    this.#live = sides.live;
    this.#lens = (object) => (excluded === undefined ? undefined : dropExcluded(object, excluded));
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

  #witness({ before, request }: Attempt): Witness | undefined {
    const outcome = judge(this.#required, this.#live, { before, request }, this.#lens);
    if (outcome === undefined) return undefined;
    return { version: this.#identity.version, ...(before !== undefined && { before }), request, outcome };
  }

  #skeleton(): JsonObject {
    const { apiVersion, kind, namespaced } = this.#identity;
    return { apiVersion, kind, metadata: { name: 'example', ...(namespaced && { namespace: 'default' }) } };
  }

  /** What the required side has against a request. */
  #errorsOf(request: WitnessRequest, before?: unknown): readonly FieldError[] {
    const answer = send(this.#required, request, before);
    if (answer.kind === 'refused') return answer.errors;
    return answer.pruned.map((path) => invalid(path, '', 'unknown'));
  }

  /** A good object with nothing particular in it. */
  #plain(): JsonObject | undefined {
    if (this.#base !== undefined) return this.#base;
    const { root } = this.#required.schema;
    const object = { ...(this.#sampler.least(root) as JsonObject), ...this.#skeleton() };
    if (this.#required.hasStatus) delete object['status'];
    const errorsOf = (value: JsonObject): readonly FieldError[] => this.#errorsOf({ verb: 'create', object: value });
    this.#base = repaired(
      { root, sampler: this.#sampler, errorsOf, kept: undefined, frozen: false, budget: baseBudget },
      object,
    );
    return this.#base;
  }

  #isStatus(site: Site): boolean {
    const [first] = site;
    return this.#required.hasStatus && first?.kind === 'property' && first.name === 'status';
  }

  /** An object with a value at a site, which the required side takes; and how it is written. */
  #build(
    site: Site,
    leaf: unknown,
    options: { frozen: boolean; budget: number },
  ): (Attempt & { keys: Keys }) | undefined {
    const plain = this.#plain();
    if (plain === undefined) return undefined;
    const { root } = this.#required.schema;
    const status = this.#isStatus(site);
    const object = cloneJson(plain);
    const keys = open(root, object, site, (node) => this.#sampler.least(node));
    if (site.length === 0) Object.assign(object, leaf, this.#skeleton());
    else setAt(object, keys, leaf === ABSENT ? leaf : cloneJson(leaf));
    const verb = status ? 'status' : 'create';
    const before = status ? plain : undefined;
    const errorsOf = (value: JsonObject): readonly FieldError[] => this.#errorsOf({ verb, object: value }, before);
    const repair = {
      root,
      sampler: this.#sampler,
      errorsOf,
      kept: keys,
      frozen: options.frozen,
      budget: options.budget,
    };
    const good = repaired(repair, object);
    if (good === undefined) return undefined;
    return { keys, request: { verb, object: good }, ...(before !== undefined && { before }) };
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
      const built = this.#build(site, leaf, {
        frozen: trial.kind === 'value' || trial.hint !== undefined,
        budget: trialBudget,
      });
      if (built !== undefined) yield built;
    }
  }

  /** One manager applies the first value, another the second. */
  *#applied(site: Site, first: unknown, second: unknown): Generator<Attempt> {
    const before = this.#build(site, first, { frozen: true, budget: trialBudget });
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
    const node = schemaOf(this.#required.schema.root, draft.site);
    const built = this.#build(draft.site, this.#sampler.least(node), { frozen: false, budget: trialBudget });
    if (built === undefined) return undefined;
    const start = this.#witness(built);
    if (start !== undefined) return start;
    const count = draft.hints === undefined ? searches : ruleSearches;
    const transition = draft.hints?.includes('oldSelf') === true;
    for (let at = 0; at < count; at++) {
      const object = cloneJson(built.request.object) as JsonObject;
      const leaf = at === 0 ? this.#sampler.full(node) : this.#sampler.any(node);
      if (draft.site.length === 0) Object.assign(object, leaf, this.#skeleton());
      else setAt(object, built.keys, leaf);
      const found = this.#tryBoth(built, object, transition);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #tryBoth(base: Attempt, object: JsonObject, transition: boolean): Witness | undefined {
    if (!transition) return this.#witness({ ...base, request: { ...base.request, object } });
    const before = base.request.object;
    const verb = base.request.verb === 'status' ? 'status' : 'update';
    return (
      this.#witness({ before, request: { verb, object } }) ??
      this.#witness({ before: object, request: { verb, object: before } })
    );
  }
}

/** Whether a witness still shows what it shows. */
export function isTrue(witness: Witness, required: Side, live: Side, lens: Lens): boolean {
  return judge(required, live, witness, lens) !== undefined;
}
