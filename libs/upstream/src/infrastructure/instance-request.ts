import type { InstanceRequest } from '../cloud/instance.js';
import { OWNER_TAG } from '../cloud/instance.js';
import type { MachineInputs } from './machine-decisions.js';
import { firstField } from './objects.js';
import type { InfrastructureCluster } from './objects.js';
import type { FieldPath } from './platforms.table.js';

/** What the cloud is asked for. The same machine always asks with the same token, so it never gets two. */
export function instanceRequest(
  { cluster, infra, owner, row }: MachineInputs,
  infraCluster: InfrastructureCluster | undefined,
  userData: string,
): InstanceRequest {
  const { name = '', namespace = '', uid = '' } = infra.metadata;
  const { defaults, fields } = row;
  const sources = { machine: infra, cluster: infraCluster, owner };
  const clusterName = cluster?.metadata.name ?? '';
  const firstOf = (paths: readonly FieldPath[] | undefined, otherwise: string): string =>
    firstField(paths ?? [], sources) ?? otherwise;
  return {
    platform: row.platform,
    token: uid,
    name,
    type: firstOf(fields.type, defaults.type),
    image: firstOf(fields.image, defaults.image),
    zone: firstOf(fields.zone, defaults.zone),
    region: firstOf(fields.region, defaults.region),
    account: firstOf(fields.account, 'capstan'),
    group: firstOf(fields.group, namespace),
    tags: {
      [OWNER_TAG]: uid,
      Name: name,
      [`kubernetes.io/cluster/${clusterName}`]: 'owned',
      [`sigs.k8s.io/cluster-api-provider-${row.platform}/cluster/${clusterName}`]: 'owned',
    },
    userData,
  };
}
