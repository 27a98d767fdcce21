import { nodePropagationOf } from '@capstan/convert/machine-api';
import type { NodePropagation } from '@capstan/convert/machine-api';
import type { Client } from '@capstan/kube';
import { isForbidden, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { isObject } from './model.js';

const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };
const MANAGER = 'capi-controller-manager';

function argsOf(deployment: KubeObject): string[] {
  const { spec } = deployment as { spec?: { template?: { spec?: { containers?: unknown } } } };
  const containers = spec?.template?.spec?.containers;
  return (Array.isArray(containers) ? containers : []).flatMap((container: unknown) =>
    isObject(container) && Array.isArray(container['args'])
      ? container['args'].filter((arg): arg is string => typeof arg === 'string')
      : [],
  );
}

/** What the manager of Cluster API in a cluster brings to nodes; undefined where it is not there or not to be read. */
export async function readNodePropagation(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<NodePropagation | undefined> {
  try {
    return nodePropagationOf(argsOf(await client.get(DEPLOYMENTS, MANAGER, { namespace, signal })));
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return undefined;
    throw error;
  }
}
