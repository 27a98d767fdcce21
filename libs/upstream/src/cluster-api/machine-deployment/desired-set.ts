import { canonicalHash, maxOf } from '@capstan/meta';
import type { Random } from '@capstan/meta';
import { annotations as names, CORE_API_VERSION, labels as labelNames } from '../names.js';
import { controllerReferenceTo } from '../owners.js';
import { nameWithSuffix, randomSuffix } from '../random-name.js';
import type { MachineDeployment, MachineSet, MachineSpec } from '../types.js';
import { rolloutFields } from './rollout-fields.js';
import { rolloutLimits, strategyOf, wanted } from './scale-limits.js';

const NOT_COPIED: ReadonlySet<string> = new Set([
  names.lastApplied,
  names.revision,
  names.revisionHistory,
  names.desiredReplicas,
  names.maxReplicas,
  names.conversionData,
]);

/** A set of the deployment without the hash of its template. */
export class UnmarkedSet extends Error {
  override readonly name = 'UnmarkedSet';
}

/** The number that marks a template among those of a deployment. */
function templateHash(deployment: MachineDeployment): number {
  return Number.parseInt(canonicalHash(rolloutFields(deployment.spec.template)).slice(0, 8), 16);
}

/** A new set of a deployment, with no replicas yet. */
export function newSet(deployment: MachineDeployment, random: Random, now: string): MachineSet {
  const suffix = randomSuffix(random);
  const name = nameWithSuffix(`${deployment.metadata.name ?? ''}-`, suffix);
  const mark = `${templateHash(deployment)}-${suffix}`;
  const { namespace = '' } = deployment.metadata;
  const metadata = { name, namespace, creationTimestamp: now };
  return shaped(deployment, { metadata, mark, replicas: 0, template: deployment.spec.template.spec });
}

/** A set of a deployment as it should be: what can be changed in place follows the deployment. */
export function desiredSet(deployment: MachineDeployment, current: MachineSet): MachineSet {
  const mark = current.metadata.labels?.[labelNames.templateHash];
  if (mark === undefined)
    throw new UnmarkedSet(`MachineSet ${current.metadata.name ?? ''} has no label ${labelNames.templateHash}`);
  const { name, namespace, uid, finalizers, creationTimestamp, resourceVersion, deletionTimestamp, generation } =
    current.metadata;
  const identity = { name, namespace, uid, resourceVersion, generation };
  const metadata = { ...identity, finalizers, creationTimestamp, deletionTimestamp } as MachineSet['metadata'];
  const { template } = current.spec;
  const desired = shaped(deployment, { metadata, mark, replicas: wanted(current), template: template.spec });
  return { ...desired, ...(current.status === undefined ? {} : { status: current.status }) };
}

interface Shape {
  readonly metadata: MachineSet['metadata'];
  readonly mark: string;
  readonly replicas: number;
  readonly template: MachineSpec;
}

function shaped(deployment: MachineDeployment, { metadata, mark, replicas, template }: Shape): MachineSet {
  const { spec } = deployment;
  const marked = { [labelNames.templateHash]: mark };
  const templateLabels = { ...spec.template.metadata?.labels, ...marked };
  const { selector, deletion, machineNaming } = spec;
  return {
    apiVersion: CORE_API_VERSION,
    kind: 'MachineSet',
    metadata: {
      ...metadata,
      ownerReferences: [controllerReferenceTo(deployment)],
      labels: { ...templateLabels, [labelNames.deploymentName]: deployment.metadata.name ?? '' },
      annotations: copiedAnnotations(deployment),
    },
    spec: {
      replicas,
      clusterName: spec.clusterName,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...marked } },
      template: {
        metadata: { labels: templateLabels, annotations: { ...spec.template.metadata?.annotations } },
        spec: inPlace(template, spec.template.spec),
      },
      ...(deletion?.order === undefined ? {} : { deletion: { order: deletion.order } }),
      ...(machineNaming === undefined ? {} : { machineNaming }),
    },
  };
}

/** The specification of one template with what of the other machines can be given while they run. */
export function inPlace(base: MachineSpec, given: MachineSpec): MachineSpec {
  const { minReadySeconds: _m, readinessGates: _g, deletion: _d, taints: _t, ...kept } = base;
  const { minReadySeconds, readinessGates, deletion, taints } = given;
  return {
    ...kept,
    ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
    ...(readinessGates === undefined ? {} : { readinessGates }),
    ...(deletion === undefined ? {} : { deletion }),
    ...(taints === undefined ? {} : { taints }),
  };
}

function copiedAnnotations(deployment: MachineDeployment): Record<string, string> {
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key));
  const replicas = wanted(deployment);
  return {
    ...Object.fromEntries(own),
    [names.desiredReplicas]: String(replicas),
    [names.maxReplicas]: String(replicas + rolloutLimits(deployment).maxSurge),
  };
}

/** The revision a set carries; 0 for none. */
export function revisionOf({ metadata }: { readonly metadata: MachineSet['metadata'] }): number {
  const revision = Number(metadata.annotations?.[names.revision] ?? 0);
  return Number.isSafeInteger(revision) ? revision : 0;
}

/** The annotations that make a set the current one: a revision above all others. */
export function currentAnnotations(
  current: MachineSet | undefined,
  old: readonly MachineSet[],
): Record<string, string> {
  const next = maxOf(old.map(revisionOf), 0) + 1;
  const { [names.revision]: known, [names.revisionHistory]: history } = current?.metadata.annotations ?? {};
  const revision = String(known !== undefined && next < Number(known) ? known : next);
  const past = [history ?? '', known !== undefined && known !== revision ? known : ''].filter((each) => each !== '');
  return {
    ...(past.length === 0 ? {} : { [names.revisionHistory]: past.join(',') }),
    [names.revision]: revision,
    [names.disableMachineCreate]: 'false',
  };
}

/** The annotations of a set that is no longer the current one. */
export function oldAnnotations(deployment: MachineDeployment, set: MachineSet): Record<string, string> {
  const { [names.revision]: revision, [names.revisionHistory]: history } = set.metadata.annotations ?? {};
  return {
    ...(revision === undefined ? {} : { [names.revision]: revision }),
    ...(history === undefined ? {} : { [names.revisionHistory]: history }),
    [names.disableMachineCreate]: strategyOf(deployment) === 'OnDelete' ? 'true' : 'false',
  };
}
