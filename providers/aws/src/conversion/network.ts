/** What a machine is in its network: subnet, security groups, interface, names. */
import { addError, addWarning, getAt, isRecord, listOf, move, nested, same, setAt } from '@capstan/convert';
import type { Codec } from '@capstan/convert';
import {
  fixed,
  flag,
  isZeroValue,
  MACHINE_API_MEMBER,
  refused,
  requiredText,
  text,
  textList,
  translated,
} from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { deepEqual, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

const NO_ARN = 'cannot be kept: Cluster API finds it by id or by filters; set its id instead';

/** Both together are refused by the webhooks of Cluster API, while Machine API reads the id alone. */
const idWithoutFilters: Codec<MachineContext> = {
  keepsShape: true,
  forward: (value, field) => checkedId(value, field),
  backward: (value, field) => checkedId(value, field),
};

function checkedId(value: unknown, field: Parameters<Codec<MachineContext>['forward']>[1]): unknown {
  if (value === undefined) return undefined;
  const { filters } = field.record;
  if (Array.isArray(filters) && filters.length > 0) field.error('cannot be set together with filters: remove these');
  return text.forward(value, field);
}

/** Something that is found by its id or by filters. */
const found: readonly MachineRule[] = [
  same('id', idWithoutFilters),
  refused('left', 'arn', NO_ARN),
  listOf('filters', 'filters', [
    same('name', requiredText('must name what is compared')),
    same('values', textList('right')),
  ]),
];

const IP_FAMILY = ['status', 'platformStatus', 'aws', 'ipFamily'];
const IP_FAMILY_PLACE = `${IP_FAMILY.join('.')} of the Infrastructure`;

/** A field that Machine API has not: its controller follows the addresses that the whole cluster has. */
function ofIpFamily(name: string, expected: (family: unknown) => unknown): MachineRule {
  const path = [name];
  return {
    claims: { left: [], right: [{ path: name, fate: 'derived' }] },
    convert: (scope) => {
      const { infrastructure } = scope.run.context;
      const value = infrastructure === undefined ? undefined : expected(getAt(infrastructure, IP_FAMILY));
      if (scope.run.to === 'right') {
        if (value !== undefined) setAt(scope.target, path, value);
        return;
      }
      const here = getAt(scope.source, path);
      if (here === value || deepEqual(here, value)) return;
      const is = here === undefined ? 'is absent' : `is ${stringifyJson(here)}`;
      const why =
        infrastructure === undefined
          ? `Machine API takes it from ${IP_FAMILY_PLACE}, which is not given`
          : `Machine API makes it ${value === undefined ? 'absent' : stringifyJson(value)}, because of ${IP_FAMILY_PLACE}`;
      addError(
        scope,
        path,
        `${is}, which cannot be kept: ${why}`,
        infrastructure === undefined ? 'ClusterUnknown' : 'ClusterMismatch',
      );
    },
  };
}

const isDualStack = (family: unknown): boolean =>
  family === 'DualStackIPv4Primary' || family === 'DualStackIPv6Primary';

/** Whether every machine of a set of control plane machines gets the subnet of its failure domain. */
function areSubnetsOfDomains(root: JsonObject): boolean {
  const domains = getAt(root, ['spec', 'template', MACHINE_API_MEMBER, 'failureDomains', 'aws']);
  const hasSubnet = (domain: unknown): boolean => isRecord(getAt(domain, ['subnet']));
  return Array.isArray(domains) && domains.length > 0 && domains.every(hasSubnet);
}

/** What each API takes where a machine names nothing. */
const unsaid = {
  subnet:
    'names none: Machine API takes one of the zone, or the default one; Cluster API a private one that the infrastructure cluster lists: name it',
  securityGroups:
    'names none: Machine API leaves machines to the default group of the VPC, Cluster API to the groups of the infrastructure cluster: name those they need',
};

/** Warns where the two APIs would put a machine into different subnets or security groups. */
const unsaidNetwork: MachineRule = {
  claims: { left: [], right: [] },
  acts: (from, to) => from === 'left' && to === 'right',
  convert: (scope) => {
    const { from, root, to } = scope.run;
    if (from !== 'left' || to !== 'right') return;
    const [subnet, groups] = [getAt(scope.source, ['subnet']), getAt(scope.source, ['securityGroups'])];
    if (isZeroValue(subnet) && !areSubnetsOfDomains(root))
      addWarning(scope, ['subnet'], unsaid.subnet, 'EffectDiffers');
    if (isZeroValue(groups)) addWarning(scope, ['securityGroups'], unsaid.securityGroups, 'EffectDiffers');
  },
};

/** The network of a machine. */
export const network: readonly MachineRule[] = [
  unsaidNetwork,
  nested('subnet', 'subnet', found),
  listOf('securityGroups', 'additionalSecurityGroups', found),
  move(
    'networkInterfaceType',
    'networkInterfaceType',
    translated([
      ['ENA', 'interface'],
      ['EFA', 'efa'],
    ]),
  ),
  move('publicIp', 'publicIP', flag),
  fixed('left', 'deviceIndex', 0, 'Cluster API attaches the interface of a machine there'),
  ofIpFamily('privateDnsName', (family) =>
    isDualStack(family)
      ? {
          enableResourceNameDnsAAAARecord: true,
          enableResourceNameDnsARecord: true,
          hostnameType: 'resource-name',
        }
      : undefined,
  ),
  ofIpFamily('assignPrimaryIPv6', (family) => {
    if (!isDualStack(family)) return undefined;
    return family === 'DualStackIPv6Primary' ? 'enabled' : 'disabled';
  }),
  refused('right', 'elasticIpPool', 'cannot be kept: Machine API takes no addresses from pools of your own'),
  refused('right', 'networkInterfaces', 'cannot be kept: Machine API makes the interface of a machine by itself'),
  refused('right', 'securityGroupOverrides', 'cannot be kept: list the groups in additionalSecurityGroups'),
];
