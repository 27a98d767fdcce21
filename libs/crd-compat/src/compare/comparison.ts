/** What the comparisons of definitions share. */
import { type RuleId, severityOf } from '../catalogue.js';
import type { Definition, DefinitionVersion } from '../definition.js';
import { Prover } from '../proof/prover.js';
import type { Side } from '../proof/server.js';
import type { Finding, Witness } from '../report.js';
import type { ExclusionTree } from '../selection.js';

/** The question of one check. */
export interface Comparison {
  readonly required: Definition;
  readonly live: Definition;
  readonly versions: readonly string[];
  readonly exclusions: ReadonlyMap<string, ExclusionTree>;
  readonly minor: number;
}

/** What a finding says besides its rule. */
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

/** A finding about a definition; an error carries what shows it. */
export function definitionFinding(rule: RuleId, about: About, prove?: () => Proof): Finding {
  const severity = severityOf(rule);
  const finding: Finding = { rule, severity, ...about };
  return severity === 'error' ? withProof(finding, prove ?? (() => 'cannot be proved')) : finding;
}

/** A prover for one version of the required definition. */
export function proverFor(
  comparison: Comparison,
  version: string,
  sides: { readonly required: Side; readonly live: Side },
): Prover {
  const { group, names, scope } = comparison.required;
  const identity = {
    version,
    apiVersion: `${group}/${version}`,
    kind: names.kind,
    namespaced: scope === 'Namespaced',
  };
  return new Prover(identity, sides, { excluded: comparison.exclusions.get(version), minor: comparison.minor });
}

/** The most ordinary write of a version, and what becomes of it where the server does not know the resource as it is asked. */
export function ordinaryWitness(
  comparison: Comparison,
  required: DefinitionVersion,
  outcome: Witness['outcome'],
  verb: Witness['request']['verb'] = 'create',
): Proof {
  const side: Side = { schema: required.schema(), hasStatus: required.hasStatus };
  const object = proverFor(comparison, required.name, { required: side, live: side }).ordinary();
  if (object === undefined) return 'cannot be proved';
  return { version: required.name, request: { verb, object }, outcome };
}

/** What a server says of a path it does not serve. */
export const notFound = { kind: 'rejected', message: 'the server could not find the requested resource' } as const;
