/** Where machines of a control plane are spread: zones with their subnets here, names of zones there. */
import { getAt, isRecord } from '@capstan/convert';
import type { FailureDomainConversion, MachineContext } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { goQuote } from '@capstan/meta';

/** The private subnet that Cluster API takes for a zone: the first that the infrastructure cluster lists. */
function subnetOf(zone: string, { infrastructureCluster: cluster }: MachineContext): JsonObject | undefined {
  const listed = getAt(cluster, ['spec', 'network', 'subnets']);
  if (!Array.isArray(listed)) return undefined;
  return listed.filter(isRecord).find((each) => each['availabilityZone'] === zone && each['isPublic'] !== true);
}

const idOf = (subnet: JsonObject): unknown => subnet['resourceID'] ?? subnet['id'];

/** Whether the filters are the one by name, and it is the name of the subnet. */
function isNamed(filters: unknown, subnet: JsonObject): boolean {
  const [only, ...others] = Array.isArray(filters) ? filters : [];
  const [value, ...more] = (getAt(only, ['values']) as unknown[] | undefined) ?? [];
  const isByName = getAt(only, ['name']) === 'tag:Name' && others.length === 0 && more.length === 0;
  return isByName && value !== undefined && value === getAt(subnet, ['tags', 'Name']);
}

function isSubnet(domain: unknown, subnet: JsonObject): boolean {
  switch (getAt(domain, ['type'])) {
    case 'ID':
      return getAt(domain, ['id']) === idOf(subnet);
    case 'Filters':
      return isNamed(getAt(domain, ['filters']), subnet);
    default:
      return false;
  }
}

/** Failure domains of a ControlPlaneMachineSet. */
export const failureDomains: FailureDomainConversion = {
  key: 'aws',
  platform: 'AWS',
  readsCluster: true,
  toName: (domain, context) => {
    const path = 'placement.availabilityZone';
    const zone = getAt(domain, path.split('.')) ?? '';
    if (typeof zone !== 'string' || zone === '')
      return { path, message: 'must be set: Cluster API knows a failure domain by its zone' };
    const { subnet } = domain;
    if (subnet === undefined || subnet === null) return { name: zone };
    if (context.infrastructureCluster === undefined)
      return {
        code: 'ClusterUnknown',
        path: 'subnet',
        message: 'cannot be compared: spec.network.subnets of the infrastructure cluster is needed, and not given',
      };
    const known = subnetOf(zone, context);
    if (known !== undefined && isSubnet(subnet, known)) return { name: zone };
    return {
      code: 'ClusterMismatch',
      path: 'subnet',
      message:
        `cannot be kept: Cluster API takes the subnet that spec.network.subnets of the infrastructure cluster lists for ` +
        `${goQuote(zone)}, which ${known === undefined ? 'is none' : 'is another'}; list it there, or remove it here`,
    };
  },
  toDomain: (name, context) => {
    const subnet = subnetOf(name, context);
    const placement = { availabilityZone: name };
    return { domain: subnet === undefined ? { placement } : { placement, subnet: { type: 'ID', id: idOf(subnet) } } };
  },
};
