import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CONTROL_PLANE_LABEL, isPrivate, POD_SECURITY_ANNOTATION } from '@capstan/hosting';
import type { Desired } from '@capstan/kube';
import { PRIVATE_NAMESPACE_LABEL } from '../../names.js';

/** The namespace of a control plane. */
export function controlPlaneNamespaceObject(hostedCluster: HostedCluster, name: string): Desired {
  const { metadata } = hostedCluster;
  const level = metadata.annotations?.[POD_SECURITY_ANNOTATION] ?? 'privileged';
  return {
    metadata: {
      name,
      labels: {
        [HOSTED_CONTROL_PLANE_LABEL]: 'true',
        'pod-security.kubernetes.io/enforce': level,
        'pod-security.kubernetes.io/audit': level,
        'pod-security.kubernetes.io/warn': level,
        'security.openshift.io/scc.podSecurityLabelSync': 'false',
        [PRIVATE_NAMESPACE_LABEL]: isPrivate(hostedCluster) ? 'true' : undefined,
      },
    },
  };
}
