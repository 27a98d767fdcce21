import type { HostedCluster } from '@capstan/api/hypershift';
import { conditionsOf } from '@capstan/hosting';
import type { Client, ResourceKind } from '@capstan/kube';
import { getCondition, ignoreNotFound, isConditionTrue } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { MovedObject } from '@capstan/migration';
import { operatorImage } from '../install/legacy-operator.js';
import { some } from './assess.js';

/** One condition under which a migrated cluster may be rolled back. */
export interface Prerequisite {
  readonly title: string;
  /** Undefined when it is met. */
  readonly problem?: string | undefined;
  /** What was found, or given. */
  readonly detail?: string | undefined;
}

export const DEPLOYMENTS: ResourceKind = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
  kind: 'Deployment',
};

/** Whether a Deployment has an available replica; undefined when there is no such Deployment. */
export async function isAvailable(client: Client, namespace: string, name: string): Promise<boolean | undefined> {
  const found = await client.get(DEPLOYMENTS, name, { namespace }).catch(ignoreNotFound);
  if (found === undefined) return undefined;
  return ((found['status'] as { availableReplicas?: number } | undefined)?.availableReplicas ?? 0) > 0;
}

export const LEGACY_OPERATOR = 'operator-legacy';
const OPERATOR = 'operator';

/** It takes over once the lock is removed: without it, nothing would reconcile the cluster. Where it is gone, it is deployed again. */
export async function legacyOperator(client: Client, namespace: string): Promise<Prerequisite> {
  const title = `the legacy operator is deployed: Deployment ${namespace}/${LEGACY_OPERATOR}`;
  const isRunning = await isAvailable(client, namespace, LEGACY_OPERATOR);
  if (isRunning === true) return { title };
  if (isRunning === false) return { title, problem: 'it has no available replica' };
  const image = await operatorImage(client, namespace);
  if (image !== undefined)
    return { title, detail: `it was deleted, and is deployed again before the rollback, with ${image}` };
  const problem = `it does not exist, and neither does Deployment ${namespace}/${OPERATOR}, whose image it has: name their namespace with --operator-namespace`;
  return { title, problem };
}

export function healthyCluster(cluster: HostedCluster): Prerequisite {
  const title = 'the HostedCluster is healthy';
  const conditions = conditionsOf(cluster);
  if (!isConditionTrue(conditions, 'Available'))
    return { title, problem: `Available: ${messageOf(cluster, 'Available')}` };
  if (isConditionTrue(conditions, 'Degraded')) return { title, problem: `Degraded: ${messageOf(cluster, 'Degraded')}` };
  return { title };
}

function messageOf(cluster: HostedCluster, type: string): string {
  const condition = getCondition(conditionsOf(cluster), type);
  return condition === undefined ? 'not reported' : `${condition.status}, ${condition.message}`;
}

interface Counts {
  readonly phase?: string;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly updatedReplicas?: number;
  readonly upToDateReplicas?: number;
}

const statusOf = (object: KubeObject): Counts => (object['status'] ?? {}) as Counts;

function ofKind(objects: readonly MovedObject[], kind: string): readonly KubeObject[] {
  return objects.filter(({ kind: { source } }) => source.kind === kind).map(({ object }) => object);
}

/** Objects of the private groups that have failed. */
export function healthyObjects(objects: readonly MovedObject[]): Prerequisite {
  const title = 'all private Cluster API objects are healthy';
  if (ofKind(objects, 'Cluster').length === 0) return { title, problem: 'there is no Cluster in the private group' };
  const failed = [
    ...ofKind(objects, 'Cluster').map((each) => ({ kind: 'Cluster', each })),
    ...ofKind(objects, 'Machine').map((each) => ({ kind: 'Machine', each })),
  ]
    .filter(({ each }) => statusOf(each).phase === 'Failed')
    .map(({ each, kind }) => `${kind} ${each.metadata.name}`);
  return failed.length === 0 ? { title } : { title, problem: `failed: ${some(failed)}` };
}

/** Machines that come or go, and sets of them that are on their way to something else. */
export function quietMachines(objects: readonly MovedObject[]): Prerequisite {
  const title = 'no operation on machines is in progress';
  const deleting = objects
    .filter(({ object }) => object.metadata.deletionTimestamp != null)
    .map(({ kind, object }) => `${kind.source.kind} ${object.metadata.name} is being deleted`);
  const moving = ofKind(objects, 'Machine')
    .filter((machine) => !SETTLED.has(statusOf(machine).phase ?? 'Pending'))
    .map((machine) => `Machine ${machine.metadata.name} is ${statusOf(machine).phase ?? 'Pending'}`);
  const scaling = ['MachineDeployment', 'MachineSet'].flatMap((kind) =>
    ofKind(objects, kind).flatMap((set) => rolloutOf(kind, set) ?? []),
  );
  const found = [...new Set([...deleting, ...moving, ...scaling])];
  return found.length === 0 ? { title } : { title, problem: some(found) };
}

/** A failed machine is no operation: it is a matter of health. */
const SETTLED: ReadonlySet<string> = new Set(['Running', 'Failed']);

function rolloutOf(kind: string, set: KubeObject): string | undefined {
  const { replicas: wanted = 1 } = (set['spec'] ?? {}) as { replicas?: number };
  const { replicas = 0, upToDateReplicas, updatedReplicas = upToDateReplicas } = statusOf(set);
  const name = `${kind} ${set.metadata.name}`;
  if (replicas !== wanted) return `${name} has ${replicas} of ${wanted} machines`;
  if (kind === 'MachineDeployment' && updatedReplicas !== undefined && updatedReplicas < wanted)
    return `${name} has ${updatedReplicas} of ${wanted} machines up to date`;
  return undefined;
}

/** What only a person can confirm. */
export function confirmed(title: string, option: string, given: string | undefined, isYes: boolean): Prerequisite {
  if (given !== undefined) return { title, detail: given };
  return isYes
    ? { title, detail: 'confirmed with --yes' }
    : { title, problem: `confirm it with ${option}, or with --yes` };
}

/** The list as it is printed. */
export function checklist(prerequisites: readonly Prerequisite[]): string {
  return prerequisites
    .map(({ detail, problem, title }, at) => {
      const rest = problem ?? detail;
      return `[${problem === undefined ? 'x' : ' '}] ${at + 1}. ${title}${rest === undefined ? '' : `: ${rest}`}\n`;
    })
    .join('');
}
