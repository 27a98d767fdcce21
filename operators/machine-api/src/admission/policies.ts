/** The ValidatingAdmissionPolicies as data: what nobody but the controllers may do to the two copies of a resource. */
import type { KubeObject } from '@capstan/meta';
import { PAUSED_ANNOTATION } from '@capstan/convert/machine-api';
import type { Namespaces } from './accounts.js';
import { DEFAULT_NAMESPACES } from './accounts.js';
import { MIRRORED } from '../served.js';
import type { MirroredPlural } from '../served.js';
import type { Named, Validation } from './expressions.js';
import {
  byAutoscaler,
  changeVariables,
  copyValidations,
  isClusterApiCopy,
  isMachineApiCopy,
  markValidations,
  notExempt,
} from './expressions.js';
import { CAPI, INFRASTRUCTURE, KINDS, MAPI, objectsOf, resourcesIn } from './policy.js';
import type { Policy } from './policy.js';
import { warnings } from './warnings.js';

/** What the policies depend on. */
export interface PolicyOptions {
  readonly namespaces?: Namespaces | undefined;
  /** Users that are exempt in addition to the controllers, such as the accounts of other installations of these. */
  readonly trusted?: readonly string[] | undefined;
  /** Kinds whose served schema has the authority fields. Default: all. */
  readonly kinds?: readonly MirroredPlural[] | undefined;
}

/** A copy that is not authoritative: read from the object itself, so that a write costs the same with many machines. */
function copies({ clusterApi, machineApi }: Namespaces, kinds: readonly MirroredPlural[], exempt: Named): Policy[] {
  const namespaces = { clusterApi, machineApi };
  const isCopy = (expression: string): Named => ({ name: 'is-copy', expression });
  return [
    {
      name: 'machine-api-copies',
      operations: ['UPDATE'],
      rules: resourcesIn('machineApi', kinds),
      in: [machineApi],
      matchConditions: [exempt, isCopy(isMachineApiCopy('oldObject'))],
      variables: changeVariables(namespaces, ['authoritativeAPI']),
      validations: copyValidations(clusterApi),
    },
    {
      name: 'cluster-api-copies',
      operations: ['UPDATE'],
      // Every kind of the provider: its machines and templates are paused with what they belong to.
      rules: [...resourcesIn('clusterApi', kinds), [INFRASTRUCTURE, ['*']]],
      in: [clusterApi],
      matchConditions: [exempt, isCopy(isClusterApiCopy('oldObject'))],
      variables: changeVariables(namespaces, []),
      validations: copyValidations(machineApi),
    },
    {
      name: 'marks',
      operations: ['UPDATE'],
      rules: [...resourcesIn('machineApi', kinds), ...resourcesIn('clusterApi', kinds), [INFRASTRUCTURE, ['*']]],
      in: [machineApi, clusterApi],
      matchConditions: [exempt],
      validations: markValidations(),
    },
  ];
}

/** Who acts is a matter of the handover: written past it, both APIs could act, or none. */
function authorityStatus({ machineApi }: Namespaces, exempt: Named): Policy {
  const field = (name: string): Validation => {
    const of = (object: string): string => `dyn(${object}).?status.?${name}.orValue('')`;
    const expression =
      name === 'synchronizedGeneration'
        ? `dyn(object).?status.?${name}.orValue(0) == dyn(oldObject).?status.?${name}.orValue(0)`
        : `${of('object')} == ${of('oldObject')}`;
    return {
      expression,
      message: `status.${name} is written by controllers only: set spec.authoritativeAPI, and authority is handed over`,
      reason: 'Forbidden',
    };
  };
  return {
    name: 'authority-status',
    operations: ['UPDATE'],
    rules: [[MAPI, MIRRORED.map((each) => `${each}/status`)]],
    in: [machineApi],
    matchConditions: [exempt],
    validations: ['authoritativeAPI', 'synchronizedAPI', 'synchronizedGeneration'].map(field),
  };
}

/** The object of a request to `/scale` is a Scale, which has nothing of the set: sets, of which there are few, are parameters. */
function scaling(namespaces: Namespaces, exempt: Named): Policy[] {
  const { clusterApi, machineApi } = namespaces;
  const notAutoscaler: Named = { name: 'not-autoscaler', expression: `!(${byAutoscaler(namespaces)})` };
  const sameName: Named = { name: 'same-name', expression: 'params.metadata.name == request.name' };
  const of = (group: string, [own, other]: readonly [string, string], isCopy: string): Policy => ({
    name: group === MAPI ? 'machine-api-scale' : 'cluster-api-scale',
    operations: ['UPDATE'],
    rules: [[group, ['machinesets/scale']]],
    in: [own],
    matchConditions: [exempt, notAutoscaler, sameName, { name: 'is-copy', expression: isCopy }],
    validations: [
      {
        expression: 'dyn(object).?spec.?replicas.orValue(0) == dyn(oldObject).?spec.?replicas.orValue(0)',
        messageExpression: `'machinesets ' + request.name + ': ${other} has the authoritative copy, so scale machinesets.${group === MAPI ? CAPI : MAPI} ' + request.name + ' in that namespace'`,
        message: `the authoritative copy is in namespace ${other}: scale that one`,
        reason: 'Forbidden',
      },
    ],
    params: { group, kind: 'MachineSet', namespace: own },
  });
  return [
    of(MAPI, [machineApi, clusterApi], isMachineApiCopy('params')),
    of(CAPI, [clusterApi, machineApi], isClusterApiCopy('params')),
  ];
}

/** A second copy must not act next to the first one. */
function creation(plural: MirroredPlural, { clusterApi, machineApi }: Namespaces, exempt: Named): Policy[] {
  const sameName: Named = { name: 'same-name', expression: 'params.metadata.name == object.metadata.name' };
  const singular = KINDS[plural];
  const [[group] = [CAPI]] = resourcesIn('clusterApi', [plural]);
  const status = (field: string): string => `dyn(params).?status.?${field}`;
  const isPaused = `has(object.metadata.annotations) && '${PAUSED_ANNOTATION}' in object.metadata.annotations`;
  const acknowledged = `${status('conditions')}.orValue([]).exists(c, c.type == 'Paused' && c.status == 'True')`;
  return [
    {
      name: `create-machine-api-${plural}`,
      operations: ['CREATE'],
      rules: [[MAPI, [plural]]],
      in: [machineApi],
      matchConditions: [sameName],
      validations: [
        {
          expression: `dyn(object).?spec.?authoritativeAPI.orValue('') == 'ClusterAPI'`,
          messageExpression: `'there is a ${singular} ' + object.metadata.name + ' of Cluster API in ${clusterApi}: set spec.authoritativeAPI to ClusterAPI, and change it once both are synchronised'`,
          message: `there is a ${singular} of that name of Cluster API: set spec.authoritativeAPI to ClusterAPI`,
          reason: 'Forbidden',
        },
      ],
      params: { group, kind: singular, namespace: clusterApi },
    },
    {
      name: `create-cluster-api-${plural}`,
      operations: ['CREATE'],
      rules: [[group, [plural]]],
      in: [clusterApi],
      matchConditions: [exempt, sameName],
      validations: [
        {
          expression: `(${isPaused}) || (${status('authoritativeAPI')}.orValue('') == 'ClusterAPI' && ${acknowledged})`,
          messageExpression: `'there is a ${singular} ' + object.metadata.name + ' of Machine API in ${machineApi}, which may act: create this one with the annotation ${PAUSED_ANNOTATION}'`,
          message: `there is a ${singular} of that name of Machine API, which may act: create this one with the annotation ${PAUSED_ANNOTATION}`,
          reason: 'Forbidden',
        },
      ],
      params: { group: MAPI, kind: singular, namespace: machineApi },
    },
  ];
}

/** Every policy with its binding, to be applied where both APIs are served: parameters are of their kinds. */
export function admissionPolicies(options: PolicyOptions = {}): readonly KubeObject[] {
  const { kinds = MIRRORED, namespaces = DEFAULT_NAMESPACES, trusted } = options;
  const exempt = notExempt(namespaces, trusted);
  const all = [
    ...copies(namespaces, kinds, exempt),
    authorityStatus(namespaces, exempt),
    ...scaling(namespaces, exempt),
    ...kinds.flatMap((plural) => creation(plural, namespaces, exempt)),
    ...warnings(namespaces, kinds, exempt),
  ];
  return all.flatMap(objectsOf);
}
