import { GROUP } from './crds.js';
import { binding, constraints, policy } from './policies.js';

type Fields = Record<string, unknown>;

/** The namespace of the machines of the new group; those of the old one are in the test's own namespace. */
export const NEW_NAMESPACE = 'new-{ns}';
/** The account that keeps both groups in step, and may do what others may not. */
export const SYNC = 'system:serviceaccount:{ns}:sync';

const NOT_SYNC = { name: 'not-the-sync', expression: `request.userInfo.username != '${SYNC}'` };
const COUNTERPART = { name: 'counterpart', expression: 'object.metadata.name == params.metadata.name' };
const authority = (of: string, group: string): Fields => ({
  name: 'authority',
  expression: `${of}.?status.?authority.orValue('') == '${group}'`,
});

function rules(operations: string[], ...resources: string[]): Fields {
  return { apiGroups: [GROUP], apiVersions: ['v1'], operations, resources };
}

/** Matches writes to these resources in one of the groups. */
function about(group: 'old' | 'new', operations: string[], ...resources: string[]): Fields {
  const name = group === 'old' ? '{ns}' : NEW_NAMESPACE;
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': name } };
  return { matchConstraints: constraints([rules(operations, ...resources)], { namespaceSelector }) };
}

const paramKind = (kind: string): Fields => ({ paramKind: { apiVersion: `${GROUP}/v1`, kind } });

/** Every object of the other group is a parameter; the condition on names leaves the counterpart. */
const counterpartsIn = (group: 'old' | 'new'): Fields => ({
  paramRef: {
    namespace: group === 'old' ? '{ns}' : NEW_NAMESPACE,
    selector: {},
    parameterNotFoundAction: 'Allow',
  },
});

const LABELS = [
  { name: 'before', expression: 'has(oldObject.metadata.labels) ? oldObject.metadata.labels : {}' },
  { name: 'after', expression: 'has(object.metadata.labels) ? object.metadata.labels : {}' },
  {
    name: 'touched',
    expression:
      'variables.after.filter(k, !(k in variables.before) || variables.before[k] != variables.after[k]) + ' +
      'variables.before.filter(k, !(k in variables.after))',
  },
];
const PROTECTED_LABELS = {
  expression: "variables.touched.all(k, !k.startsWith('machine.example.com') && !k.contains('cluster.example.io/'))",
  messageExpression:
    "'protected labels may not be changed: ' + variables.touched.filter(k, k.startsWith('machine.example.com')).join(', ')",
};
const SPEC_BUT_AUTHORITY = {
  expression:
    "oldObject.spec.all(k, k in object.spec) && object.spec.all(k, k == 'authority' || (k in oldObject.spec && object.spec[k] == oldObject.spec[k]))",
  message: 'the spec may only be changed in the new group',
};
const SPEC = { expression: 'object.spec == oldObject.spec', message: 'the spec may only be changed in the old group' };

/** An object that is reconciled in the other group may be changed by the sync alone. */
function locked(group: 'old' | 'new', resource: string, counterpart: string): [string, Fields, Fields] {
  const isOld = group === 'old';
  const matchConditions = [NOT_SYNC, COUNTERPART, isOld ? authority('object', 'New') : authority('params', 'Old')];
  const validations = [isOld ? SPEC_BUT_AUTHORITY : SPEC, PROTECTED_LABELS];
  const spec = {
    ...about(group, ['UPDATE'], resource),
    ...paramKind(counterpart),
    matchConditions,
    variables: LABELS,
    validations,
  };
  return [`${resource}-locked`, spec, counterpartsIn(isOld ? 'new' : 'old')];
}

function notTwice(resource: string, counterpart: string): [string, Fields, Fields] {
  const validations = [
    { expression: "object.spec.authority == 'New'", message: 'the new group has one of that name: set authority: New' },
  ];
  const spec = {
    ...about('old', ['CREATE'], resource),
    ...paramKind(counterpart),
    matchConditions: [COUNTERPART],
    validations,
  };
  return [`${resource}-not-twice`, spec, counterpartsIn('new')];
}

function creation(resource: string, counterpart: string): [string, Fields, Fields] {
  const variables = [
    { name: 'paused', expression: "object.?metadata.annotations[?'cluster.example.io/paused'].hasValue()" },
    {
      name: 'released',
      expression: "params.?status.conditions.orValue([]).exists(c, c.type == 'Paused' && c.status == 'True')",
    },
  ];
  const validations = [
    { expression: "params.status.authority != 'Old' || variables.paused", message: 'must be paused' },
    {
      expression: "params.status.authority != 'New' || variables.released",
      message: 'the counterpart must be paused',
      reason: 'Forbidden',
    },
  ];
  const matchConditions = [NOT_SYNC, COUNTERPART];
  const spec = {
    ...about('new', ['CREATE'], resource),
    ...paramKind(counterpart),
    matchConditions,
    variables,
    validations,
  };
  return [`${resource}-creation`, spec, counterpartsIn('old')];
}

const CHANGES_AUTHORITY = { name: 'changes', expression: 'object.spec.authority != oldObject.spec.authority' };

const WRITES = ['CREATE', 'UPDATE'];

const DECLARED: readonly [string, Fields, Fields][] = [
  locked('old', 'machines', 'Host'),
  locked('old', 'machinesets', 'Hostset'),
  locked('new', 'hosts', 'Machine'),
  locked('new', 'hostsets', 'Machineset'),
  notTwice('machines', 'Host'),
  notTwice('machinesets', 'Hostset'),
  creation('hosts', 'Machine'),
  creation('hostsets', 'Machineset'),
  [
    'unsupported-fields',
    {
      ...about('new', WRITES, 'hosts', 'hostsets'),
      validations: [
        { expression: '!has(object.spec.version)', message: 'spec.version is not supported' },
        { expression: '!has(object.spec.template) || !has(object.spec.template.spec.version)' },
      ],
    },
    {},
  ],
  [
    'not-while-updating',
    {
      ...about('old', ['UPDATE'], 'machines'),
      matchConditions: [CHANGES_AUTHORITY],
      validations: [
        {
          expression: "oldObject.?status.?phase.orValue('') != 'Provisioning'",
          message: 'wait until it is provisioned',
        },
        { expression: '!has(oldObject.metadata.deletionTimestamp)', message: 'it is being deleted' },
      ],
    },
    {},
  ],
  [
    'needs-ready-counterpart',
    {
      ...about('old', ['UPDATE'], 'machines'),
      ...paramKind('Host'),
      matchConditions: [NOT_SYNC, COUNTERPART, CHANGES_AUTHORITY],
      validations: [
        {
          expression: 'params.?status.?provisioned.orValue(false) == true',
          message: 'the counterpart is not provisioned',
          reason: 'Forbidden',
        },
      ],
    },
    counterpartsIn('new'),
  ],
  [
    'warn-not-synchronized',
    {
      ...about('old', ['UPDATE'], 'machines'),
      failurePolicy: 'Ignore',
      matchConditions: [CHANGES_AUTHORITY],
      validations: [
        {
          expression:
            "oldObject.?status.conditions.orValue([]).exists(c, c.type == 'Synchronized' && c.status == 'True')",
          messageExpression: "object.metadata.name + ' is not synchronized: the change waits'",
        },
      ],
    },
    { validationActions: ['Warn'] },
  ],
  [
    'unsupported-cloud-fields',
    {
      ...about('new', WRITES, 'cloudhosts'),
      variables: [{ name: 'bad', expression: "['imageLookup', 'cloudInit'].filter(k, k in object.spec)" }],
      validations: [
        { expression: 'variables.bad.size() == 0', messageExpression: "'not supported: ' + variables.bad.join(', ')" },
      ],
    },
    {},
  ],
];

/** The kinds of both groups. */
export const PLURALS = ['machines', 'machinesets', 'hosts', 'hostsets', 'cloudhosts'];

/** Thirteen policies of a platform that lets machines move between two API groups, with their bindings. */
export function machinePolicies(): Fields[] {
  return DECLARED.flatMap(([name, spec, bound]) => [policy(name, spec), binding(name, name, bound)]);
}
