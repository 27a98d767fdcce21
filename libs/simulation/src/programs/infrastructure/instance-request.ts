import type { InstanceRequest } from '../../cloud/instance.js';
import { OWNER_TAG } from '../../cloud/oracles.js';
import type { MachineWorld } from './machine-decisions.js';
import { firstField } from './objects.js';
import type { InfrastructureCluster } from './objects.js';

/** What the cloud is asked for. The same machine always asks with the same token, so it never gets two. */
export function instanceRequest(
  { cluster, infra, owner, row }: MachineWorld,
  infraCluster: InfrastructureCluster | undefined,
  userData: string,
): InstanceRequest {
  const { name = '', namespace = '', uid = '' } = infra.metadata;
  const { defaults, fields } = row;
  const sources = { machine: infra, cluster: infraCluster, owner };
  const clusterName = cluster?.metadata.name ?? '';
  const account = firstField(fields.account ?? [], sources) ?? 'capstan';
  return {
    platform: row.platform,
    token: uid,
    name,
    type: firstField(fields.type, sources) ?? defaults.type,
    image: firstField(fields.image, sources) ?? defaults.image,
    zone: firstField(fields.zone, sources) ?? defaults.zone,
    region: firstField(fields.region, sources) ?? defaults.region,
    account,
    group: firstField(fields.group ?? [], sources) ?? namespace,
    tags: {
      [OWNER_TAG]: uid,
      Name: name,
      [`kubernetes.io/cluster/${clusterName}`]: 'owned',
      [`sigs.k8s.io/cluster-api-provider-${row.platform}/cluster/${clusterName}`]: 'owned',
    },
    userData,
  };
}
