/** One ValidatingAdmissionPolicy with its binding, as data. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { MirroredPlural } from '../served.js';
import type { Named, Validation } from './expressions.js';

const ADMISSION = 'admissionregistration.k8s.io/v1';
/** The groups of both APIs, and that of platforms. */
export const MAPI = 'machine.openshift.io';
export const CAPI = 'cluster.x-k8s.io';
export const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
/** Every policy and binding has a name that begins so. */
export const POLICY_PREFIX = 'machine-api-migration';

/** Kinds with two copies. */
export const KINDS: Readonly<Record<MirroredPlural, string>> = {
  machines: 'Machine',
  machinesets: 'MachineSet',
  machinehealthchecks: 'MachineHealthCheck',
  controlplanemachinesets: 'ControlPlaneMachineSet',
};

/** Resources of a group. */
export type Rule = readonly [group: string, resources: readonly string[]];

/** One policy with its binding. */
export interface Policy {
  readonly name: string;
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  readonly rules: readonly Rule[];
  readonly in: readonly string[];
  readonly matchConditions: readonly Named[];
  readonly variables?: readonly Named[];
  readonly validations: readonly Validation[];
  /** Whose objects are parameters: all of a namespace, of which a condition leaves that of the same name. */
  readonly params?: { readonly group: string; readonly kind: string; readonly namespace: string };
  /** Warns, and lets everything through, also what it cannot evaluate. */
  readonly isWarning?: boolean;
}

const NAME_LABEL = 'kubernetes.io/metadata.name';
const versions: Readonly<Record<string, string>> = { [MAPI]: 'v1beta1', [CAPI]: 'v1beta2' };

const apiVersionOf = (group: string, kind: string): string =>
  `${group}/${kind === KINDS.controlplanemachinesets ? 'v1' : (versions[group] ?? '')}`;

/** The resources of an API that have copies. Those of control planes are of one group in both namespaces. */
export function resourcesIn(api: 'machineApi' | 'clusterApi', kinds: readonly MirroredPlural[]): readonly Rule[] {
  if (api === 'machineApi') return [[MAPI, kinds]];
  const isShared = (plural: MirroredPlural): boolean => plural === 'controlplanemachinesets';
  const rules: readonly Rule[] = [
    [CAPI, kinds.filter((each) => !isShared(each))],
    [MAPI, kinds.filter(isShared)],
  ];
  return rules.filter(([, resources]) => resources.length > 0);
}

/** The policy and its binding. */
export function objectsOf(policy: Policy): readonly KubeObject[] {
  const { isWarning = false, matchConditions, operations, params, rules, validations, variables } = policy;
  const name = `${POLICY_PREFIX}-${policy.name}`;
  const metadata = { name, labels: { 'app.kubernetes.io/part-of': 'capstan' } };
  const paramKind =
    params === undefined
      ? {}
      : { paramKind: { apiVersion: apiVersionOf(params.group, params.kind), kind: params.kind } };
  const spec: JsonObject = {
    failurePolicy: isWarning ? 'Ignore' : 'Fail',
    ...paramKind,
    matchConstraints: {
      namespaceSelector: { matchExpressions: [{ key: NAME_LABEL, operator: 'In', values: [...policy.in] }] },
      resourceRules: rules.map(([group, resources]) => ({
        apiGroups: [group],
        apiVersions: ['*'],
        operations: [...operations],
        resources: [...resources],
        scope: 'Namespaced',
      })),
    },
    matchConditions,
    ...(variables === undefined ? {} : { variables }),
    validations,
  };
  const paramRef =
    params === undefined
      ? {}
      : { paramRef: { namespace: params.namespace, selector: {}, parameterNotFoundAction: 'Allow' } };
  return [
    { apiVersion: ADMISSION, kind: 'ValidatingAdmissionPolicy', metadata, spec } as KubeObject,
    {
      apiVersion: ADMISSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: name, validationActions: [isWarning ? 'Warn' : 'Deny'], ...paramRef },
    } as KubeObject,
  ];
}
