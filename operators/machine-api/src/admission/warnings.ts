/** Policies that refuse nothing: what a switch waits for, and what a deletion does not reach. */
import type { MirroredPlural } from '../served.js';
import type { Namespaces } from './accounts.js';
import type { Named, Validation } from './expressions.js';
import { isClusterApiCopy, isMachineApiCopy } from './expressions.js';
import { resourcesIn } from './policy.js';
import type { Policy } from './policy.js';

const asked = (of: string): string => `dyn(${of}).?spec.?authoritativeAPI.orValue('MachineAPI')`;
const textAt = (path: string): string => `dyn(object).${path}.orValue('')`;
const named = (of: string): string => `request.resource.resource + ' ' + ${of}.metadata.name`;

/** The wish is kept in any case: it is fulfilled when what it waits for comes. */
const SWITCH_CHECKS: readonly Validation[] = [
  {
    expression: `variables.synchronized.exists(c, c.status == 'True')`,
    messageExpression: `${named('object')} + ': authority moves to ' + ${asked('object')} + ' once both copies are synchronized; Synchronized is ' + (variables.synchronized.size() == 0 ? 'not reported' : variables.synchronized[0].status + ': ' + dyn(variables.synchronized[0]).?message.orValue(''))`,
    message: 'authority moves once both copies are synchronized, which is not reported',
  },
  {
    expression: '!has(object.metadata.deletionTimestamp)',
    messageExpression: `${named('object')} + ' is being deleted: authority stays where it is'`,
    message: 'it is being deleted: authority stays where it is',
  },
  {
    expression: `${textAt('?status.?phase')} == '' || ${textAt('?spec.?providerID')} != ''`,
    messageExpression: `${named('object')} + ': authority moves once the provider ID of its instance is known'`,
    message: 'authority moves once the provider ID of its instance is known',
  },
];

function switches({ machineApi }: Namespaces, kinds: readonly MirroredPlural[], exempt: Named): Policy {
  const conditions = `dyn(object).?status.?conditions.orValue([]).filter(c, c.type == 'Synchronized')`;
  return {
    name: 'switch-warnings',
    operations: ['UPDATE'],
    rules: resourcesIn('machineApi', kinds),
    in: [machineApi],
    matchConditions: [exempt, { name: 'is-switch', expression: `${asked('object')} != ${asked('oldObject')}` }],
    variables: [{ name: 'synchronized', expression: conditions }],
    validations: SWITCH_CHECKS,
    isWarning: true,
  };
}

/** Machines of a set are deleted with either copy; all else has one copy whose deletion ends nothing but itself. */
const NOT_OF_SET = `!dyn(oldObject).metadata.?ownerReferences.orValue([]).exists(o, o.kind in ['MachineSet', 'ControlPlaneMachineSet'])`;

function deletions(
  { clusterApi, machineApi }: Namespaces,
  kinds: readonly MirroredPlural[],
  exempt: Named,
): readonly Policy[] {
  const about = (api: 'machineApi' | 'clusterApi', isCopy: string, then: string): Policy => ({
    name: api === 'machineApi' ? 'delete-machine-api-warnings' : 'delete-cluster-api-warnings',
    operations: ['DELETE'],
    rules: resourcesIn(api, kinds),
    in: [api === 'machineApi' ? machineApi : clusterApi],
    matchConditions: [exempt, { name: 'is-copy', expression: isCopy }, { name: 'has-no-set', expression: NOT_OF_SET }],
    validations: [{ expression: 'false', messageExpression: `${named('oldObject')} + ' ${then}'`, message: then }],
    isWarning: true,
  });
  return [
    about(
      'machineApi',
      isMachineApiCopy('oldObject'),
      `is a copy: its deletion is not synchronized, and the one in ${clusterApi} goes on alone`,
    ),
    about(
      'clusterApi',
      isClusterApiCopy('oldObject'),
      `is a copy: it is created again; delete the one in ${machineApi} instead`,
    ),
  ];
}

/** All of them. */
export function warnings(namespaces: Namespaces, kinds: readonly MirroredPlural[], exempt: Named): readonly Policy[] {
  return [switches(namespaces, kinds, exempt), ...deletions(namespaces, kinds, exempt)];
}
