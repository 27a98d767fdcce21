import { CAPI_TYPES_LABEL, OPERATOR_NAME } from '@capstan/hypershift/manifests';
import type { Client } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { guardStandard } from './guards.js';
import { DEPLOYMENTS, stoppedFor } from './stopped.js';
import type { Stopping } from './stopped.js';

interface Workload extends KubeObject {
  readonly spec: {
    readonly template: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } };
  };
}

/**
 * Stops an operator on private types before one on standard types replaces it: it could lock a HostedCluster at any moment,
 * and nobody would finish that migration. Where it has locked one since the first look, or does not stop, it is started again.
 */
export async function stopPrivateOperator(client: Client, stopping: Stopping): Promise<void> {
  const at = { namespace: stopping.namespace };
  const found = await client.get<Workload>(DEPLOYMENTS, OPERATOR_NAME, at).catch(ignoreNotFound);
  if (found?.spec.template.metadata?.labels?.[CAPI_TYPES_LABEL] !== 'private') return;
  await stoppedFor(client, [OPERATOR_NAME], stopping, () => guardStandard(client));
}
