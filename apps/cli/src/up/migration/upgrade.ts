import { CAPI_TYPES_LABEL, OPERATOR_NAME } from '@capstan/hypershift/manifests';
import { sleep } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { getCondition } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { privateDefinitions } from '../definitions.js';
import type { RunningEnvironment } from '../environment.js';
import { guardObjects, OPERATOR_NAMESPACE, operatorObjects } from '../hosting/operator.js';
import { Installer } from '../install.js';
import { SHIM, shimObjects } from '../shim.js';

const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const LOOK_MS = 250;

interface Workload extends KubeObject {
  readonly spec?: {
    readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } };
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Whether the operator of hosted clusters is the one on private types. */
export async function isUpgraded(client: Client, signal: AbortSignal): Promise<boolean> {
  const { items } = await client.list<Workload>(DEPLOYMENTS, { namespace: OPERATOR_NAMESPACE, signal });
  const operator = items.find(({ metadata }) => metadata.name === OPERATOR_NAME);
  return operator?.spec?.template?.metadata?.labels?.[CAPI_TYPES_LABEL] === 'private';
}

/**
 * The upgrade of the operator to private types, in the order of `capstan install --private-capi-types`: private CRDs,
 * what converts their versions, the operator for the clusters that are there, and the one that migrates them.
 */
export async function upgradeOperator(
  { client, hosting, started: { clock } }: RunningEnvironment,
  signal: AbortSignal,
): Promise<void> {
  const installer = new Installer(client);
  for (const definition of await privateDefinitions()) await installer.applyChecked(definition, clock, signal);
  await installer.applyAll(shimObjects(), signal);
  while (!(await isAvailable(client, SHIM, signal))) if ((await sleep(clock, LOOK_MS, signal)) === 'aborted') return;
  await installer.applyAll(guardObjects(hosting), signal);
  await installer.applyAll(operatorObjects(hosting, 'legacy'), signal);
  await installer.applyAll(operatorObjects(hosting, 'private'), signal);
}

async function isAvailable(
  client: Client,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { status } = await client.get<Workload>(DEPLOYMENTS, name, { namespace, signal });
  return getCondition(status?.conditions, 'Available')?.status === 'True';
}
