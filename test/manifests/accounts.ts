import { writeFileSync } from 'node:fs';
import { fixedCredentials, HttpTransport, kubeconfigJson } from '@capstan/kube';
import type { Client, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

/** Where a server is, and who may do everything there. */
export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

const named = (group: string, plural: string, namespaced: boolean): ResourceRef => ({
  group,
  version: 'v1',
  plural,
  namespaced,
});
const RBAC = 'rbac.authorization.k8s.io';

/** Every kind that manifests are made of. */
export const RESOURCES: Readonly<Record<string, ResourceRef>> = {
  ServiceAccount: named('', 'serviceaccounts', true),
  Service: named('', 'services', true),
  Deployment: named('apps', 'deployments', true),
  PodDisruptionBudget: named('policy', 'poddisruptionbudgets', true),
  Role: named(RBAC, 'roles', true),
  RoleBinding: named(RBAC, 'rolebindings', true),
  ClusterRole: named(RBAC, 'clusterroles', false),
  ClusterRoleBinding: named(RBAC, 'clusterrolebindings', false),
};

/** Applies objects as kubectl does from the server's side; gives what the server made of them. */
export async function applyAll(client: Client, objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const applied: KubeObject[] = [];
  for (const value of objects) {
    const { namespace, name = '' } = value.metadata;
    const options = { namespace, fieldManager: 'manifests' };
    applied.push(await client.patch(refOf(value), name, { type: 'apply', value }, options));
  }
  return applied;
}

/** Deletes what has no namespace to go with. */
export async function dropClusterWide(client: Client, objects: readonly KubeObject[]): Promise<void> {
  for (const { kind, metadata } of objects) {
    const ref = RESOURCES[kind];
    if (ref?.namespaced === false) await client.delete(ref, metadata.name ?? '');
  }
}

function refOf({ kind }: KubeObject): ResourceRef {
  const ref = RESOURCES[kind];
  if (ref === undefined) throw new TypeError(`manifests have no ${kind} that this test knows`);
  return ref;
}

/** Somebody who has the rights of an account, and no other. */
export interface Account {
  readonly kubeconfig: string;
  readonly transport: HttpTransport;
}

interface TokenRequest extends KubeObject {
  readonly status?: { readonly token: string };
}

/** Becomes a service account. */
export async function become(
  { ca, url }: Access,
  client: Client,
  account: { readonly namespace: string; readonly name: string; readonly folder: string },
): Promise<Account> {
  const { folder, name, namespace } = account;
  const request: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    spec: {},
  };
  const made = await client.create(RESOURCES['ServiceAccount'] as ResourceRef, request, {
    namespace,
    name,
    subresource: 'token',
  });
  const token = made.status?.token ?? '';
  const kubeconfig = `${folder}/${name}.kubeconfig`;
  writeFileSync(kubeconfig, kubeconfigJson({ server: url, caPem: ca, token, name, namespace }), { mode: 0o600 });
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  return { kubeconfig, transport: new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace }) };
}
