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
const ADMISSION = 'admissionregistration.k8s.io';

/** Every kind that manifests are made of. */
export const RESOURCES = {
  Namespace: named('', 'namespaces', false),
  ServiceAccount: named('', 'serviceaccounts', true),
  Service: named('', 'services', true),
  Deployment: named('apps', 'deployments', true),
  PodDisruptionBudget: named('policy', 'poddisruptionbudgets', true),
  Role: named(RBAC, 'roles', true),
  RoleBinding: named(RBAC, 'rolebindings', true),
  ClusterRole: named(RBAC, 'clusterroles', false),
  ClusterRoleBinding: named(RBAC, 'clusterrolebindings', false),
  ValidatingAdmissionPolicy: named(ADMISSION, 'validatingadmissionpolicies', false),
  ValidatingAdmissionPolicyBinding: named(ADMISSION, 'validatingadmissionpolicybindings', false),
} as const satisfies Readonly<Record<string, ResourceRef>>;

const BY_KIND: Readonly<Record<string, ResourceRef>> = RESOURCES;

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
    const ref = BY_KIND[kind];
    if (ref?.namespaced === false) await client.delete(ref, metadata.name ?? '');
  }
}

function refOf({ kind }: KubeObject): ResourceRef {
  const ref = BY_KIND[kind];
  if (ref === undefined) throw new TypeError(`manifests have no ${kind} that this test knows`);
  return ref;
}

/** A client with the permissions of an account, and no others. */
export interface Account {
  readonly kubeconfig: string;
  readonly transport: HttpTransport;
}

interface TokenRequest extends KubeObject {
  readonly status?: { readonly token: string };
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** A token of a service account. */
export async function tokenOf(client: Client, { name, namespace }: Named): Promise<string> {
  const request: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    spec: {},
  };
  const at = { namespace, name, subresource: 'token' };
  return (await client.create(RESOURCES.ServiceAccount, request, at)).status?.token ?? '';
}

/** Becomes a service account. */
export async function become(
  { ca, url }: Access,
  client: Client,
  account: Named & { readonly folder: string },
): Promise<Account> {
  const { folder, name, namespace } = account;
  const token = await tokenOf(client, account);
  const kubeconfig = `${folder}/${name}.kubeconfig`;
  writeFileSync(kubeconfig, kubeconfigJson({ server: url, caPem: ca, token, name, namespace }), { mode: 0o600 });
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  return { kubeconfig, transport: new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace }) };
}
