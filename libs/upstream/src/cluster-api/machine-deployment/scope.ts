import { compileLabelSelector, isControlledBy } from '@capstan/meta';
import type { LabelMatcher } from '@capstan/meta';
import { controllerOf } from '@capstan/meta';
import { isDefined } from '../external/external-objects.js';
import { TEMPLATE_SUFFIX } from '../names.js';
import { controllerReferenceTo, hasExactOwner, referenceTo, withOwner } from '../owners.js';
import type { Announce, ControllerContext } from '../controller-context.js';
import type { Cluster, Machine, MachineDeployment, MachineSet, Reference } from '../types.js';

/** What a reconciliation of a deployment knows so far. */
export interface DeploymentScope {
  readonly cluster: Cluster;
  readonly deployment: MachineDeployment;
  readonly machines: readonly Machine[];
  /** Undefined when they could not be listed. */
  sets?: MachineSet[] | undefined;
  /** Templates that are not there, by kind. */
  readonly missingTemplates: { bootstrap?: string; infrastructure?: string };
}

export interface DeploymentWork {
  readonly context: ControllerContext;
  readonly announce: Announce;
}

/** A selector that would take everything. */
export class EmptySelector extends Error {
  override readonly name = 'EmptySelector';
}

/** The compiled selector of a deployment. */
export function selectorOf({ spec }: MachineDeployment): LabelMatcher {
  const matcher = compileLabelSelector(spec.selector);
  if (matcher.toString() === '') throw new EmptySelector('the selector of the MachineDeployment is empty');
  return matcher;
}

/** Makes the cluster the owner of a template; false when there is no such template. */
export async function claimTemplate(
  { external }: ControllerContext,
  cluster: Cluster,
  reference: Reference,
): Promise<boolean> {
  if (!(reference.kind ?? '').endsWith(TEMPLATE_SUFFIX)) return true;
  const found = await external.get(reference, cluster.metadata.namespace ?? '');
  if (found === undefined) return false;
  const owner = referenceTo(cluster);
  if (hasExactOwner(found.object, owner)) return true;
  const { metadata } = found.object;
  const ownerReferences = withOwner(metadata.ownerReferences, owner);
  await external.patch(found.ref, found.object, { ...found.object, metadata: { ...metadata, ownerReferences } });
  return true;
}

/** Looks for the templates of a deployment. */
export async function findTemplates({ context }: DeploymentWork, scope: DeploymentScope): Promise<void> {
  const { bootstrap, infrastructureRef } = scope.deployment.spec.template.spec;
  if (isDefined(infrastructureRef) && !(await claimTemplate(context, scope.cluster, infrastructureRef)))
    scope.missingTemplates.infrastructure = infrastructureRef.kind;
  const configRef = bootstrap?.configRef;
  if (isDefined(configRef) && !(await claimTemplate(context, scope.cluster, configRef)))
    scope.missingTemplates.bootstrap = configRef.kind;
}

/** Lists the sets of a deployment, adopting those that match and have no controller. */
export async function findSets(work: DeploymentWork, scope: DeploymentScope): Promise<MachineSet[]> {
  const { deployment } = scope;
  const matcher = selectorOf(deployment);
  const all = await work.context.objects.list<MachineSet>('MachineSet', deployment.metadata.namespace ?? '');
  const found: MachineSet[] = [];
  for (const set of all) {
    if (!matcher.matches(set.metadata.labels ?? {}) && !isControlledBy(set, deployment)) continue;
    const owned = controllerOf(set) === undefined ? await adopt(work, deployment, set) : set;
    if (owned !== undefined && isControlledBy(owned, deployment)) found.push(owned);
  }
  scope.sets = found;
  return found;
}

async function adopt(
  { context, announce }: DeploymentWork,
  deployment: MachineDeployment,
  set: MachineSet,
): Promise<MachineSet | undefined> {
  const { metadata } = set;
  const name = JSON.stringify(metadata.name ?? '');
  const ownerReferences = withOwner(metadata.ownerReferences, controllerReferenceTo(deployment));
  try {
    const owned = await context.objects.patch('MachineSet', set, {
      ...set,
      metadata: { ...metadata, ownerReferences },
    });
    announce(deployment, { type: 'Normal', reason: 'SuccessfulAdopt', message: `Adopted MachineSet ${name}` });
    return owned;
  } catch (error) {
    const message = `Failed to adopt MachineSet ${name}: ${String(error)}`;
    announce(deployment, { type: 'Warning', reason: 'FailedAdopt', message });
    return undefined;
  }
}
