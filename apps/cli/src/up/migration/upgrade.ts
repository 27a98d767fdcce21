import { CAPI_TYPES_LABEL, OPERATOR_NAME } from '@capstan/hypershift/manifests';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { COMPONENTS } from '../../install/components.js';
import { installComponent } from '../../install/run.js';
import { discovered } from '../../install/settings.js';
import type { Output } from '../../io.js';
import type { RunningEnvironment } from '../environment.js';
import { OPERATOR_NAMESPACE, privatePlan, privateSettings } from '../hosting/operator.js';

const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };

interface Workload extends KubeObject {
  readonly spec?: {
    readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } };
  };
}

/** Whether the operator of hosted clusters is the one on private types. */
export async function isUpgraded(client: Client, signal: AbortSignal): Promise<boolean> {
  const { items } = await client.list<Workload>(DEPLOYMENTS, { namespace: OPERATOR_NAMESPACE, signal });
  const operator = items.find(({ metadata }) => metadata.name === OPERATOR_NAME);
  return operator?.spec?.template?.metadata?.labels?.[CAPI_TYPES_LABEL] === 'private';
}

/** As long as `capstan install` waits for each step. */
const LIMIT_MS = 300_000;
/** The display shows what comes of it. */
const QUIET: Output = { out: () => undefined, err: () => undefined };

/** The upgrade of the operator to private types: what `capstan install --private-capi-types` does. */
export async function upgradeOperator({ client, hosting }: RunningEnvironment): Promise<void> {
  const component = { ...COMPONENTS.hypershift, plan: privatePlan };
  const settings = await discovered(client, component, privateSettings(hosting));
  await installComponent(client, component, { settings, options: { wait: true, timeout: LIMIT_MS }, io: QUIET });
}
