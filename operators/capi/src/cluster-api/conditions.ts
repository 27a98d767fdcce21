import type { ConditionUpdate } from '@capstan/meta';
import type { Plan, Required } from './decide.js';
import type { BadTransport } from '../transport/read.js';
import { SINGLETON } from '../vocabulary.js';

/** What the conditions depend on besides the plan. */
export interface Outcome {
  readonly bad: readonly BadTransport[];
  /** What could not be written, a sentence each. */
  readonly failures: readonly string[];
}

/** What a condition may hold; the rest is counted. */
const MAX_LISTED = 10;

/** The four conditions of the ClusterOperator, each with everything that speaks against it. */
export function conditionsOf(plan: Plan, outcome: Outcome): readonly ConditionUpdate[] {
  const degraded = degradedBy(plan, outcome);
  const progressing = progressingBy(plan);
  const blocked = notUpgradeableBy(plan, outcome);
  return [
    { type: 'Available', status: 'True', reason: 'AsExpected', message: 'Cluster API is managed' },
    conditionFrom('Progressing', progressing, {
      bad: 'True',
      reason: 'Reconciling',
      good: 'All components are healthy',
    }),
    conditionFrom('Degraded', degraded, {
      bad: 'True',
      reason: reasonOf(plan, outcome),
      good: 'All components are healthy',
    }),
    conditionFrom('Upgradeable', blocked, {
      bad: 'False',
      reason: plan.unclaimed.length > 0 ? 'UnclaimedDefinitions' : 'IncompatibleDefinitions',
      good: 'The cluster can be upgraded',
    }),
  ];
}

function conditionFrom(
  type: string,
  against: readonly string[],
  { bad, good, reason }: { readonly bad: 'False' | 'True'; readonly reason: string; readonly good: string },
): ConditionUpdate {
  if (against.length === 0)
    return { type, status: bad === 'True' ? 'False' : 'True', reason: 'AsExpected', message: good };
  const shown = against.slice(0, MAX_LISTED);
  const more = against.length - shown.length;
  return { type, status: bad, reason, message: [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n') };
}

function reasonOf({ taken }: Plan, { bad, failures }: Outcome): string {
  if (bad.length > 0) return 'BadTransportConfigMap';
  if (failures.length > 0) return 'WriteFailed';
  return taken.length > 0 ? 'RequirementNameTaken' : 'RequirementsNotMet';
}

function degradedBy(plan: Plan, { bad, failures }: Outcome): string[] {
  return [
    ...bad.map(({ map, problem }) => `transport config map ${map} cannot be used: ${problem}`),
    ...failures,
    ...plan.taken.map((name) => `compatibilityrequirement ${name} is not this operator's: rename or delete it`),
    ...problemsOf(plan.required, 'active'),
  ];
}

function progressingBy({ required, unknown }: Plan): string[] {
  return [
    ...required
      .filter(({ standing }) => !standing.isSettled && standing.problem === undefined)
      .map(({ definition, wanted }) => `${wanted.metadata.name ?? ''} for ${definition} has not been checked yet`),
    ...unknown.map((name) => `${name} is listed as unmanaged, but no transport config map has it: nothing to require`),
  ];
}

/** What has not been checked may not fit either: an upgrade cannot be taken back. */
function notUpgradeableBy({ required, unclaimed }: Plan, { bad }: Outcome): string[] {
  return [
    ...bad.map(({ map, problem }) => `transport config map ${map} cannot be used: ${problem}`),
    ...unclaimed.map(
      (name) =>
        `${name} exists and is not managed by this operator: add it to ` +
        `spec.unmanagedCustomResourceDefinitions of clusterapi/${SINGLETON}`,
    ),
    ...problemsOf(required, 'future'),
    ...required
      .filter(({ role, standing }) => role === 'future' && !standing.isSettled && standing.problem === undefined)
      .map(({ definition, wanted }) => `${definition} has not been checked against ${wanted.metadata.name ?? ''} yet`),
  ];
}

function problemsOf(required: readonly Required[], role: Required['role']): string[] {
  return required
    .filter((each) => each.role === role && each.standing.isSettled)
    .flatMap(({ definition, standing: { problem }, wanted }) =>
      problem === undefined ? [] : [`${definition} does not meet ${wanted.metadata.name ?? ''}: ${problem}`],
    );
}
