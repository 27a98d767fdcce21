import { clusterVersion } from '@capstan/api/config';
import type { ClusterVersion } from '@capstan/api/config';
import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { MANAGED_BY_LABEL } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';

/** Who this program is in the labels of what it makes in the hosted cluster. */
export const MANAGER = 'hosted-cluster-config-operator';
const RBAC = 'rbac.authorization.k8s.io';
const BOOTSTRAPPER = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
/** The only object of its kind. */
export const VERSION_NAME = 'version';

let definition: KubeObject | undefined;

/** The CRD of ClusterVersion, without which nobody could say what the cluster is to run. */
export function versionDefinition(): KubeObject {
  return (definition ??= crd(clusterVersion));
}

/** Bindings of earlier releases: this one let every node do for any other what the Node authorizer allows it for itself. */
export const OBSOLETE_BINDINGS = ['hypershift:nodes'];

/** What lets nodes ask for their first certificate and renew it. What they may do else, the Node authorizer decides. */
export function nodeBindings(): readonly KubeObject[] {
  const binding = (name: string, role: string, subject: object): KubeObject => ({
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: { [MANAGED_BY_LABEL]: MANAGER } },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: RBAC, ...subject }],
  });
  return [
    binding('hypershift:node-renewal', 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient', {
      kind: 'Group',
      name: 'system:nodes',
    }),
    binding('hypershift:node-bootstrapper', 'system:node-bootstrapper', { kind: 'User', name: BOOTSTRAPPER }),
  ];
}

/** The ClusterVersion, from the one there is: what the user of the hosted cluster has added stays. */
export function desiredVersion(
  { channel, clusterID, releaseImage, updateService }: HostedControlPlaneSpec,
  before: ClusterVersion | undefined,
): ClusterVersion {
  const given = (text: string | undefined): text is string => text !== undefined && text !== '';
  return {
    ...(before ?? { apiVersion: 'config.openshift.io/v1', kind: 'ClusterVersion', metadata: { name: VERSION_NAME } }),
    spec: {
      ...before?.spec,
      clusterID: given(clusterID) ? clusterID : (before?.spec?.clusterID ?? ''),
      ...(given(channel) ? { channel } : {}),
      ...(given(updateService) ? { upstream: updateService } : {}),
      desiredUpdate: { ...before?.spec?.desiredUpdate, image: releaseImage },
    },
  } as ClusterVersion;
}
