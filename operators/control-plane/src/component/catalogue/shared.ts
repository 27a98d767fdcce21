import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { Volume } from '../definition.js';

/** The API group of Cluster API. */
export const CORE_GROUP = 'cluster.x-k8s.io';
/** The component that most operators of OpenShift wait for. */
export const OPENSHIFT_API = 'openshift-apiserver';
/** The image of this project's own components in a release. */
export const OWN_IMAGE = 'hypershift';

/** The CA that signs the certificates of the control plane. */
export const ROOT_CA: Volume = { secret: 'root-ca', items: { 'ca.crt': 'ca.crt' } };
/** The client certificate for etcd: of the managed etcd, or the one the user brought. */
export const ETCD_CLIENT: Volume = {
  secret: ({ spec }) => spec.etcd.unmanaged?.tls.clientSecret.name ?? 'etcd-client-tls',
};
/** Root file systems are read-only, so every component that writes files needs this. */
export const TEMPORARY: Readonly<Record<string, Volume>> = { '/tmp': { emptyDir: 'tmp' } };
/** The namespace of the pod as `POD_NAMESPACE`. */
export const NAMESPACE_ENV = { POD_NAMESPACE: 'metadata.namespace' };

/** Flags that the API servers and controller managers of OpenShift have in common. */
export function openshiftFlags(namespace: string): readonly string[] {
  return ['start', '--kubeconfig', GUEST_KUBECONFIG, `--namespace=${namespace}`];
}
