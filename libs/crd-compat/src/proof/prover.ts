/** Shows that a finding is real: builds a write, and asks both sides. */
import { getOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Draft, Site } from '../drafts/site.js';
import type { Witness } from '../report.js';
import type { ExclusionTree } from '../selection.js';
import { type Identity, RequestBuilder } from './attempts.js';
import { type Attempt, type Sides, outcomeOf } from './harm.js';
import { pathFor } from './paths.js';
import type { Lens, Side } from './server.js';
import { isolated, undone } from './undo.js';

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
    else dropExcluded(getOwn(object, name), below);
  }
}

/** Leaves out what is excluded. */
export function lensFor(excluded: ExclusionTree | undefined): Lens {
  return (object) => (excluded === undefined ? undefined : dropExcluded(object, excluded));
}

/** The live side with one change undone, and the required side with that one alone; undefined where that cannot be. */
export type Undo = (
  sides: { readonly required: Side; readonly live: Side },
  draft: Draft,
) => Pick<Sides, 'isolated' | 'undone'> | undefined;

const undoSchema: Undo = ({ live, required }, draft) => {
  const schema = undone(live.schema, required.schema, draft);
  const alone = isolated(live.schema, required.schema, draft);
  return schema && { undone: { ...live, schema }, isolated: alone && { ...required, schema: alone } };
};

/** What proofs depend on besides the two sides. */
export interface ProverOptions {
  readonly excluded: ExclusionTree | undefined;
  readonly minor: number;
  /** How a change is undone where it is not one of the schema of the version. */
  readonly undo?: Undo | undefined;
}

/** Findings about fields that are dropped or filled in: they show when a stored object is read, whatever is refused. */
const shownByReading =
  /^(?:field-removed|map-became-struct|unknown-fields-pruned|default-\w+|embedded-resource-removed)$/;

/** Proofs about one version of two CRDs. */
export class Prover {
  readonly #identity: Identity;
  readonly #required: Side;
  readonly #live: Side;
  readonly #lens: Lens;
  readonly #builder: RequestBuilder;
  readonly #undo: Undo;

  constructor(identity: Identity, sides: { readonly required: Side; readonly live: Side }, options: ProverOptions) {
    const { excluded } = options;
    this.#identity = identity;
    this.#required = sides.required;
    this.#live = sides.live;
    this.#lens = lensFor(excluded);
    this.#builder = new RequestBuilder(identity, sides.required, options.minor);
    this.#undo = options.undo ?? undoSchema;
  }

  /** A request that shows the finding, or that none could be found. */
  prove(draft: Draft): Witness | 'cannot be proved' {
    const sides = { required: this.#required, live: this.#live };
    const others = this.#undo(sides, draft);
    if (others === undefined) return 'cannot be proved';
    const all = { ...sides, ...others };
    return this.#write(all, draft) ?? this.#read(all, draft) ?? 'cannot be proved';
  }

  /** Looks for a write; at last among those that nothing but the finding is in the way of. */
  #write(sides: Sides, draft: Draft): Witness | undefined {
    const count = draft.hints === undefined ? searches : ruleSearches;
    for (const other of [undefined, sides.undone]) {
      this.#builder.suit(other);
      for (const attempt of this.#builder.requests(draft, count)) {
        const witness = this.#witness(sides, attempt);
        if (witness !== undefined) return witness;
      }
    }
    return undefined;
  }

  /** Looks for a read of an object that was stored before: where every write is refused for other reasons. */
  #read(sides: Sides, draft: Draft): Witness | undefined {
    if (!shownByReading.test(draft.rule)) return undefined;
    for (const { request } of this.variants(draft, searches)) {
      if (request.verb !== 'create') continue;
      const witness = this.#witness(sides, { before: request.object, request: { verb: 'get' } });
      if (witness !== undefined) return witness;
    }
    return undefined;
  }

  /** An object with nothing particular in it, which the required side takes. */
  ordinary(): JsonObject | undefined {
    this.#builder.suit(undefined);
    return this.#builder.ordinary();
  }

  /** An object with this value at a place, as it is stored; undefined where the required side takes none such. */
  objectWith(site: Site, leaf: unknown): JsonObject | undefined {
    this.#builder.suit(undefined);
    return this.#builder.objectWith(site, leaf);
  }

  /** Requests with all kinds of values at the place of a finding. */
  variants(draft: Draft, count: number): Iterable<Attempt> {
    this.#builder.suit(undefined);
    return this.#builder.requests(draft, count);
  }

  /** The witness that a request is, if it comes out otherwise because of the finding. */
  #witness(sides: Sides, attempt: Attempt): Witness | undefined {
    const { before, request } = attempt;
    const outcome = outcomeOf(sides, attempt, this.#lens);
    if (outcome === undefined) return undefined;
    const { definition, version } = this.#identity;
    const { object, verb } = request;
    const path = pathFor(definition, version, verb, (object ?? before) as JsonObject);
    const sent = { verb, path, ...(object !== undefined && { object }) };
    return { version, ...(before !== undefined && { before }), request: sent, outcome };
  }
}
