import type { Client } from '@capstan/kube';
import { isForbidden, isNotFound } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { groupOf, kindOf, nameOf } from './model.js';

const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };
const MANAGER = 'capi-controller-manager';

/** Whether the object runs the manager of Cluster API. */
export function isManager(object: JsonObject): boolean {
  return groupOf(object) === DEPLOYMENTS.group && kindOf(object) === DEPLOYMENTS.kind && nameOf(object) === MANAGER;
}

/** The manager of Cluster API in a cluster; none where it is not there or not to be read. */
export async function readManager(client: Client, namespace: string, signal: AbortSignal): Promise<JsonObject[]> {
  try {
    const found = await client.get(DEPLOYMENTS, MANAGER, { namespace, signal });
    return [{ ...found, apiVersion: `${DEPLOYMENTS.group}/${DEPLOYMENTS.version}`, kind: DEPLOYMENTS.kind }];
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return [];
    throw error;
  }
}
