import { deepEqual } from '@capstan/meta';
import { isDefined } from '../external/external-objects.js';
import { kindOfClone } from '../external/clone.js';
import type { MachineDeployment, MachineSet, MachineSpec, MachineTemplate } from '../types.js';
import { isEmpty, plain } from '../writing/plain.js';

/** What of a template a machine cannot be given while it runs. */
export function rolloutFields({ spec }: MachineTemplate): Partial<MachineSpec> {
  const { bootstrap = {}, infrastructureRef = {}, version = '', failureDomain = '' } = spec;
  const { configRef, dataSecretName } = bootstrap;
  const given = {
    ...(isEmpty(configRef) ? {} : { configRef }),
    ...(dataSecretName === undefined ? {} : { dataSecretName }),
  };
  return plain({ bootstrap: given, infrastructureRef, version, failureDomain }) as Partial<MachineSpec>;
}

/** Why machines of one template must be replaced to be of another; empty when they need not. */
export function outdatedBecause(current: MachineTemplate, desired: MachineTemplate): string[] {
  const [has, wants] = [rolloutFields(current), rolloutFields(desired)];
  const messages: string[] = [];
  if (has.version !== wants.version) messages.push(`Version ${has.version ?? ''}, ${wants.version ?? ''} required`);
  if (!deepEqual(has.bootstrap, wants.bootstrap)) messages.push(bootstrapText(has, wants));
  if (!deepEqual(has.infrastructureRef, wants.infrastructureRef))
    messages.push(`${kindOfClone(has.infrastructureRef?.kind ?? '')} is not up-to-date`);
  if (has.failureDomain !== wants.failureDomain)
    messages.push(`Failure domain ${has.failureDomain ?? ''}, ${wants.failureDomain ?? ''} required`);
  return messages;
}

function bootstrapText({ bootstrap: has }: Partial<MachineSpec>, { bootstrap: wants }: Partial<MachineSpec>): string {
  if (isDefined(has?.configRef)) return `${kindOfClone(has.configRef.kind)} is not up-to-date`;
  return `spec.bootstrap.dataSecretName ${has?.dataSecretName ?? 'nil'}, ${wants?.dataSecretName ?? 'nil'} required`;
}

/** Whether a deployment asks that everything older than a moment be replaced, and the moment has come. */
export function isRolloutDue({ spec }: MachineDeployment, { metadata }: MachineSet, nowMs: number): boolean {
  const after = Date.parse(spec.rollout?.after ?? '');
  return after < nowMs && Date.parse(metadata.creationTimestamp ?? '') < after;
}

/** The sets of a deployment: the one of its present template, and all others. */
export interface SortedSets {
  readonly current: MachineSet | undefined;
  readonly old: MachineSet[];
}

/** More replicas first, then older, then by name. */
function byReplicas(a: MachineSet, b: MachineSet): number {
  return (b.spec.replicas ?? 0) - (a.spec.replicas ?? 0) || byAge(a, b);
}

/** Older first, then by name. */
export function byAge(a: MachineSet, b: MachineSet): number {
  const [first, second] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  if (first !== second) return first < second ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

/** Separates the current set of a deployment from its old ones. */
export function sortSets(deployment: MachineDeployment, sets: readonly MachineSet[], nowMs: number): SortedSets {
  const sorted = sets.toSorted(byReplicas);
  const isOfTemplate = (set: MachineSet): boolean =>
    outdatedBecause(set.spec.template, deployment.spec.template).length === 0;
  const candidates = sorted.filter(isOfTemplate);
  const outdated = sorted.filter((set) => !candidates.includes(set));
  const after = Date.parse(deployment.spec.rollout?.after ?? '');
  const isDue = after <= nowMs;
  const current = isDue
    ? candidates.find(({ metadata }) => !(Date.parse(metadata.creationTimestamp ?? '') < after))
    : candidates[0];
  return { current, old: [...outdated, ...candidates.filter((set) => set !== current)] };
}
