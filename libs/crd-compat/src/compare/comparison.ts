/** What the comparisons of CRDs share. */
import { type JsonObject, deepEqual } from '@capstan/meta';
import { type RuleId, severityOf } from '../catalogue.js';
import type { Definition, DefinitionVersion } from '../definition.js';
import { type Exchange, compareAnswers, sideOf } from '../proof/definition-server.js';
import { pathFor } from '../proof/paths.js';
import { Prover, type Undo, lensFor } from '../proof/prover.js';
import { namesOf } from '../proof/scale.js';
import type { Side } from '../proof/server.js';
import type { Finding, Witness, WitnessRequest, WitnessVerb } from '../report.js';
import type { ExclusionTree } from '../selection.js';

/** The question of one check. */
export interface Comparison {
  readonly required: Definition;
  readonly live: Definition;
  readonly versions: readonly string[];
  readonly exclusions: ReadonlyMap<string, ExclusionTree>;
  readonly minor: number;
}

/** The fields of a finding besides its rule. */
export interface About {
  readonly version?: string;
  readonly path: string;
  readonly message: string;
  readonly required?: unknown;
  readonly live?: unknown;
}

/** What shows an error. */
export type Proof = NonNullable<Finding['proof']>;

/** The finding with a proof that is looked for when it is asked for, once. */
export function withProof(finding: Finding, prove: () => Proof): Finding {
  let proof: Proof | undefined;
  return Object.defineProperty({ ...finding }, 'proof', { enumerable: true, get: () => (proof ??= prove()) });
}

/** A finding about a CRD; an error carries what shows it. */
export function definitionFinding(rule: RuleId, about: About, prove?: () => Proof): Finding {
  const severity = severityOf(rule);
  const finding: Finding = { rule, severity, ...about };
  return severity === 'error' ? withProof(finding, prove ?? (() => 'cannot be proved')) : finding;
}

/** A prover for one version of the required CRD. */
export function proverFor(
  comparison: Comparison,
  version: string,
  sides: { readonly required: Side; readonly live: Side },
  undo?: Undo,
): Prover {
  const { exclusions, minor, required } = comparison;
  return new Prover({ version, definition: required }, sides, { excluded: exclusions.get(version), minor, undo });
}

/** A prover that knows the required CRD alone: for its objects. */
function authorOf(comparison: Comparison, version: DefinitionVersion): Prover {
  const side = sideOf(comparison.required, version);
  return proverFor(comparison, version.name, { required: side, live: side });
}

/** Requests of a client that may show a difference between two CRDs, best first. */
export type Requests = (author: Author) => Iterable<Exchange>;

/** Who makes up the requests of a client of one required version. */
export interface Author {
  readonly version: DefinitionVersion;
  /** An object with nothing particular in it. */
  readonly ordinary: JsonObject;
  /** An object with a value at a path like `.spec.replicas`, if the requirement knows such objects. */
  readonly objectWith: (path: string, value: unknown) => JsonObject | undefined;
  readonly request: (verb: WitnessVerb, about: JsonObject, object?: unknown) => WitnessRequest;
}

/** The required CRD with one change of the live one, and no other. */
export type Isolate = (required: Definition, live: Definition) => Definition;

/** The required CRD with a member of the live one. */
export function withOnly<Name extends keyof Definition>(name: Name): Isolate {
  return (required, live) => ({ ...required, [name]: live[name] });
}

/** The required CRD with a member of a version as the live one has it. */
export function withOnlyOf(version: string, change: Partial<DefinitionVersion>): Isolate {
  return (required) => ({
    ...required,
    versions: required.versions.map((each) => (each.name === version ? { ...each, ...change } : each)),
  });
}

/** What shows a finding about a CRD as a whole. */
export interface Showing {
  readonly requests: Requests;
  readonly isolate: Isolate;
}

/**
 * The first request that the required CRD answers and the live one refuses or answers differently, in the way that
 * the change does it by itself.
 */
function witnessOf(comparison: Comparison, version: DefinitionVersion, showing: Showing): Witness | undefined {
  const { exclusions, live, required } = comparison;
  const isolated = showing.isolate(required, live);
  const prover = authorOf(comparison, version);
  const ordinary = prover.ordinary();
  if (ordinary === undefined) return undefined;
  const author: Author = {
    version,
    ordinary,
    objectWith: (path, value) =>
      prover.objectWith(
        namesOf(path).map((name) => ({ kind: 'property', name })),
        value,
      ),
    request: (verb, about, object) => ({
      verb,
      path: pathFor(required, version.name, verb, about),
      ...(object !== undefined && { object }),
    }),
  };
  const lens = lensFor(exclusions.get(version.name));
  for (const exchange of showing.requests(author)) {
    const outcome = compareAnswers(required, live, exchange, lens);
    if (outcome === undefined || !deepEqual(outcome, compareAnswers(required, isolated, exchange, lens))) continue;
    return { version: version.name, ...exchange, outcome };
  }
  return undefined;
}

/** The proof that both CRDs answer clients of one of these versions differently; found by querying both. */
export function proofBy(
  comparison: Comparison,
  versions: readonly (DefinitionVersion | undefined)[],
  showing: Showing,
): () => Proof {
  return () => {
    for (const version of versions) {
      const witness = version && witnessOf(comparison, version, showing);
      if (witness !== undefined) return witness;
    }
    return 'cannot be proved';
  };
}

/** Creating the most ordinary object. */
export const creation: Requests = ({ ordinary, request }) => [{ request: request('create', ordinary, ordinary) }];
