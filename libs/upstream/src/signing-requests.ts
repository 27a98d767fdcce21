import type { Clock, KubeObject, UserInfo } from '@capstan/meta';
import { timestamp } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';

/** Requests for certificates. */
export const SIGNING_REQUESTS: ResourceKind = {
  group: 'certificates.k8s.io',
  version: 'v1',
  plural: 'certificatesigningrequests',
  namespaced: false,
  kind: 'CertificateSigningRequest',
};
/** Signs for clients of the API server. */
export const API_CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
/** Signs for kubelets as clients. */
export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
/** Signs for kubelets as servers. */
export const SERVING_SIGNER = 'kubernetes.io/kubelet-serving';

/** A CertificateSigningRequest, with the fields that are used here. */
export interface SigningRequest extends KubeObject {
  readonly spec: {
    /** Base64 of the PEM. */
    readonly request: string;
    readonly signerName: string;
    readonly usages?: readonly string[];
    readonly username?: string;
    readonly uid?: string;
    readonly extra?: Readonly<Record<string, readonly string[]>>;
    readonly groups?: readonly string[];
    readonly expirationSeconds?: number;
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    readonly certificate?: string;
  };
}

/** Whether the request has been decided on that way. */
export function hasCondition({ status }: SigningRequest, type: 'Approved' | 'Denied' | 'Failed'): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
}

/** A request with one more condition, which is true. */
export function withCondition(
  request: SigningRequest,
  clock: Clock,
  condition: { readonly type: 'Approved' | 'Failed'; readonly reason: string; readonly message: string },
): SigningRequest {
  const at = timestamp(clock);
  const added = { ...condition, status: 'True', lastUpdateTime: at, lastTransitionTime: at };
  return { ...request, status: { ...request.status, conditions: [...(request.status?.conditions ?? []), added] } };
}

/** The PEM of a request. */
export function requestPemOf({ spec }: SigningRequest): string {
  return Buffer.from(spec.request, 'base64').toString('utf8');
}

/** Whom nodes are before they have a certificate. */
export const NODE_BOOTSTRAPPER: UserInfo = {
  username: 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper',
  groups: [
    'system:serviceaccounts',
    'system:serviceaccounts:openshift-machine-config-operator',
    'system:authenticated',
  ],
};
