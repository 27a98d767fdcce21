import type { HostedCluster } from '@capstan/api/hypershift';

/** How events name a HostedCluster. */
export function subjectOf({ apiVersion, kind, metadata: { name = '', namespace, uid = '' } }: HostedCluster): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string;
} {
  return { apiVersion, kind, name, namespace, uid };
}
