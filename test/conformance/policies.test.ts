import { custom, dismiss, givenDefinition, objectsPath, specVersion, GROUP } from '../src/conformance/crds.js';
import { CONFIG_MAPS, configMap, given } from '../src/conformance/objects.js';
import {
  BINDINGS,
  CONFIG_MAP_RULE,
  POLICIES,
  binding,
  constraints,
  enforced,
  named,
  policy,
  withdrawn,
} from '../src/conformance/policies.js';
import type { Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const declare = suite('policies');

/** Every test removes its policies, which would apply to others. */
function it(name: string, run: (s: Session) => Promise<void>): void {
  declare(name, async (s) => {
    try {
      await run(s);
    } finally {
      await withdrawn(s);
    }
  });
}

const SMALL = { expression: 'object.data.size() <= 1', message: 'at most one key' };

function data(name: string, count: number, labels: Record<string, string> = {}): Record<string, unknown> {
  const entries = Array.from({ length: count }, (_, index) => [`k${index}`, String(index)]);
  return { ...configMap(name), metadata: { name, labels }, data: Object.fromEntries(entries) };
}

it('a policy refuses what breaks it, on create and update alike', async (s) => {
  await enforced(s, 'small', policy('small', { validations: [SMALL] }), binding('small', 'small'));
  await s.post(CONFIG_MAPS, data('a', 2));
  await s.post(CONFIG_MAPS, data('a', 1));
  await s.put(`${CONFIG_MAPS}/a`, data('a', 3));
  await s.merge(`${CONFIG_MAPS}/a`, { data: { more: 'x' } });
  await s.apply(`${CONFIG_MAPS}/a`, 'me', data('a', 4), 'force=true');
  await s.delete(`${CONFIG_MAPS}/a`);
});

it('a policy without a binding is not enforced', async (s) => {
  await enforced(s, 'unbound', policy('unbound', { validations: [{ expression: 'false' }] }));
  await s.post(CONFIG_MAPS, data('a', 1));
});

it('reasons choose the answer, messages its words', async (s) => {
  const validations = [
    { expression: "object.metadata.name != 'forbidden'", reason: 'Forbidden', message: '  no \t' },
    { expression: "object.metadata.name != 'large'", reason: 'RequestEntityTooLarge' },
    { expression: "  object.metadata.name != 'spaced'  " },
    { expression: "object.metadata.name != 'composed'", messageExpression: "'it is ' + object.metadata.name + '  '" },
    { expression: "object.metadata.name != 'empty'", messageExpression: "' '", message: 'fixed' },
    { expression: "object.metadata.name != 'lines'", messageExpression: "'a\\nb'", message: 'fixed' },
    { expression: "object.metadata.name != 'broken'", messageExpression: 'string(object.nope)', message: 'fixed' },
    { expression: "object.metadata.name != 'bare'", messageExpression: 'string(object.nope)' },
    {
      expression: "object.metadata.name != 'long'",
      messageExpression: "'x'.replace('x', 'yyyyyyyy').split('').join('z')",
    },
  ];
  await enforced(s, 'reasons', policy('reasons', { validations }), binding('reasons', 'reasons'));
  for (const name of ['forbidden', 'large', 'spaced', 'composed', 'empty', 'lines', 'broken', 'bare', 'long', 'fine'])
    await s.post(CONFIG_MAPS, data(name, 1));
});

it('expressions that fail refuse, or are ignored', async (s) => {
  const validations = [{ expression: 'object.data.missing == "x"' }, { expression: 'false', message: 'second' }];
  await enforced(
    s,
    'failing',
    policy('failing', {
      validations,
      matchConditions: [{ name: 'strict', expression: "object.metadata.name == 'strict'" }],
    }),
    policy('lenient', {
      failurePolicy: 'Ignore',
      validations: [{ expression: 'object.data.missing == "x"' }],
    }),
    binding('failing', 'failing'),
    binding('lenient', 'lenient'),
  );
  await s.post(CONFIG_MAPS, data('strict', 1));
  await s.post(CONFIG_MAPS, data('lenient', 1));
});

it('variables are evaluated when they are used', async (s) => {
  const variables = [
    { name: 'keys', expression: 'object.data.size()' },
    { name: 'limit', expression: "object.metadata.name == 'big' ? 5 : 1" },
    { name: 'fits', expression: 'variables.keys <= variables.limit' },
    { name: 'broken', expression: 'object.data.missing.size()' },
    { name: 'nothing', expression: 'has(object.data.missing) ? object.data.missing : null' },
    { name: 'names', expression: 'object.data.map(k, k)' },
  ];
  const validations = [
    { expression: 'variables.fits', messageExpression: "'%d > %d'.format([variables.keys, variables.limit])" },
    { expression: "object.metadata.name != 'broken' || variables.broken > 0" },
    { expression: 'variables.nothing == null' },
    { expression: "variables.names.all(n, n.startsWith('k'))" },
  ];
  await enforced(s, 'variables', policy('variables', { variables, validations }), binding('variables', 'variables'));
  await s.post(CONFIG_MAPS, data('big', 4));
  await s.post(CONFIG_MAPS, data('small', 4));
  await s.post(CONFIG_MAPS, data('broken', 1));
});

it('actions warn, audit and deny', async (s) => {
  const validations = [SMALL, { expression: "object.metadata.name != 'b'", message: 'not b' }];
  await enforced(
    s,
    'actions',
    policy('actions', { validations }),
    binding('warns', 'actions', { validationActions: ['Warn', 'Audit'] }),
    binding('denies', 'actions', {
      validationActions: ['Deny', 'Audit'],
      matchResources: { objectSelector: { matchLabels: { strict: 'yes' } } },
    }),
  );
  await s.post(CONFIG_MAPS, data('a', 2));
  await s.post(CONFIG_MAPS, data('b', 2));
  await s.post(CONFIG_MAPS, data('c', 2, { strict: 'yes' }));
});

it('the first policy by name that refuses is the one that answers', async (s) => {
  await enforced(
    s,
    'many',
    policy('one', { validations: [{ expression: "object.metadata.name != 'a'", message: 'one' }] }),
    policy('two', { validations: [{ expression: "object.metadata.name != 'b'", message: 'two' }] }),
    binding('one', 'one'),
    binding('two', 'two'),
  );
  await s.post(CONFIG_MAPS, data('a', 1));
  await s.post(CONFIG_MAPS, data('b', 1));
});

it('match conditions narrow policies', async (s) => {
  await enforced(
    s,
    'conditions',
    policy('conditions', {
      matchConditions: [
        { name: 'not-exempt', expression: "!request.userInfo.groups.exists(g, g == 'exempt')" },
        { name: 'labelled', expression: "object.metadata.labels['checked'] == 'yes'" },
      ],
      validations: [{ expression: 'false', message: 'checked' }],
    }),
    binding('conditions', 'conditions'),
  );
  await s.post(CONFIG_MAPS, data('a', 1, { checked: 'yes' }));
  await s.post(CONFIG_MAPS, data('a', 1, { checked: 'no' }));
  await s.post(CONFIG_MAPS, configMap('b'));
});

it('old objects, operations and the namespace can be spoken of', async (s) => {
  const rule = { ...CONFIG_MAP_RULE, operations: ['*'] };
  await enforced(
    s,
    'old',
    policy('old', {
      matchConstraints: constraints([rule]),
      validations: [
        { expression: "request.operation != 'CREATE' || oldObject == null", message: 'old on create' },
        {
          expression: "request.operation != 'UPDATE' || object.data.k0 == oldObject.data.k0",
          messageExpression: "'k0 was ' + oldObject.data.k0",
        },
        {
          expression: "request.operation != 'DELETE' || (object == null && oldObject.metadata.name != 'kept')",
          message: 'kept',
          reason: 'Forbidden',
        },
        { expression: 'namespaceObject.metadata.name == request.namespace', message: 'namespace' },
        { expression: '!has(object.spec) || request.dryRun', message: 'dry run' },
      ],
    }),
    binding('old', 'old'),
  );
  await s.post(CONFIG_MAPS, data('kept', 1));
  await s.merge(`${CONFIG_MAPS}/kept`, { data: { k0: 'other' } });
  await s.merge(`${CONFIG_MAPS}/kept`, { data: { k1: 'other' } });
  await s.delete(`${CONFIG_MAPS}/kept`);
  await s.delete(CONFIG_MAPS);
});

it('parameters by name', async (s) => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const validations = [
    {
      expression: "object.metadata.name == 'limits' || object.data.size() <= int(params.data.limit)",
      messageExpression: "'limit is ' + params.data.limit",
    },
  ];
  await given(s, CONFIG_MAPS, { ...configMap('limits'), data: { limit: '2' } });
  await enforced(
    s,
    'params',
    policy('params', { paramKind, validations }),
    binding('params', 'params', { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } }),
  );
  await s.post(CONFIG_MAPS, data('a', 2));
  await s.post(CONFIG_MAPS, data('b', 3));
});

it('parameters that are not there', async (s) => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const validations = [{ expression: 'params.data.limit == "x"', message: 'limited' }];
  const only = (name: string) => ({ objectSelector: { matchLabels: { only: name } } });
  await enforced(
    s,
    'absent',
    policy('absent', { paramKind, validations }),
    binding('denies', 'absent', {
      paramRef: { name: 'nope', parameterNotFoundAction: 'Deny' },
      matchResources: only('denies'),
    }),
    binding('allows', 'absent', {
      paramRef: { name: 'nope', parameterNotFoundAction: 'Allow' },
      matchResources: only('allows'),
    }),
    binding('unnamed', 'absent', { matchResources: only('unnamed') }),
    policy('unknown', {
      paramKind: { apiVersion: 'nowhere.example.com/v1', kind: 'Nothing' },
      matchConstraints: constraints([CONFIG_MAP_RULE], { objectSelector: { matchLabels: { only: 'unknown' } } }),
      validations,
    }),
    binding('unknown', 'unknown', { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } }),
  );
  for (const only of ['denies', 'allows', 'unnamed', 'unknown']) await s.post(CONFIG_MAPS, data(only, 1, { only }));
});

it('a policy checks all parameters that its selector matches', async (s) => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const param = (name: string, word: string) => ({
    ...configMap(name),
    metadata: { name, labels: { params: 'yes' } },
    data: { word },
  });
  await given(s, CONFIG_MAPS, param('p1', 'red'));
  await given(s, CONFIG_MAPS, param('p2', 'blue'));
  await enforced(
    s,
    'selected',
    policy('selected', {
      paramKind,
      validations: [
        {
          expression: '!(params.data.word in object.data)',
          messageExpression: "'no ' + params.data.word",
        },
      ],
    }),
    binding('selected', 'selected', {
      paramRef: { selector: { matchLabels: { params: 'yes' } }, parameterNotFoundAction: 'Deny' },
    }),
  );
  await s.post(CONFIG_MAPS, { ...configMap('a'), data: { red: '1' } });
  await s.post(CONFIG_MAPS, { ...configMap('b'), data: { blue: '1' } });
  await s.post(CONFIG_MAPS, { ...configMap('c'), data: { green: '1' } });
});

it('the authorizer of a policy checks the user of the request', async (s) => {
  const validations = [
    {
      expression: "authorizer.group('').resource('secrets').namespace(request.namespace).check('delete').allowed()",
      message: 'may not delete secrets',
    },
    { expression: "authorizer.requestResource.check('create').allowed()", message: 'may not' },
    {
      expression:
        "!authorizer.serviceAccount(request.namespace, 'robot').group('').resource('pods').check('list').allowed()",
      message: 'the robot may',
    },
    { expression: "authorizer.path('/healthz').check('get').allowed()", message: 'no health' },
  ];
  await enforced(s, 'asking', policy('asking', { validations }), binding('asking', 'asking'));
  await s.post(CONFIG_MAPS, data('a', 1));
});

it('custom resources are checked in the version that a policy names', async (s) => {
  const size = { size: { type: 'integer' } };
  await givenDefinition(s, 'gadgets', {
    versions: [
      { ...specVersion(size), subresources: { status: {} } },
      { ...specVersion(size, { name: 'v2', storage: false }), subresources: { status: {} } },
    ],
  });
  const rule = (resources: string[]) => ({
    apiGroups: [GROUP],
    apiVersions: ['v2'],
    operations: ['CREATE', 'UPDATE'],
    resources,
  });
  await enforced(
    s,
    'custom',
    policy('custom', {
      matchConstraints: constraints([rule(['gadgets'])]),
      validations: [
        { expression: "object.apiVersion.endsWith('/v2')", message: 'another version' },
        {
          expression: 'object.spec.size < 5',
          messageExpression: "request.kind.version + ' ' + request.requestKind.version",
        },
      ],
    }),
    binding('custom', 'custom'),
    policy('exact', {
      matchConstraints: constraints([rule(['gadgets/status'])], { matchPolicy: 'Exact' }),
      validations: [{ expression: "object.status.phase != 'bad'", message: 'bad' }],
    }),
    binding('exact', 'exact'),
  );
  await s.post(objectsPath('gadgets'), custom('Gadget', 'a', { spec: { size: 7 } }));
  await s.post(objectsPath('gadgets', 'v2'), custom('Gadget', 'a', { spec: { size: 7 } }, 'v2'));
  await s.post(objectsPath('gadgets'), custom('Gadget', 'a', { spec: { size: 3 } }));
  await s.merge(`${objectsPath('gadgets')}/a/status`, { status: { phase: 'bad' } });
  await s.merge(`${objectsPath('gadgets', 'v2')}/a/status`, { status: { phase: 'bad' } });
  await dismiss(s, 'gadgets');
});

it('names and exceptions narrow rules', async (s) => {
  await enforced(
    s,
    'narrow',
    policy('narrow', {
      matchConstraints: constraints([{ ...CONFIG_MAP_RULE, resourceNames: ['a', 'b'] }], {
        excludeResourceRules: [{ ...CONFIG_MAP_RULE, resourceNames: ['b'] }],
      }),
      validations: [{ expression: 'false' }],
    }),
    binding('narrow', 'narrow'),
  );
  for (const name of ['a', 'b', 'c']) await s.post(CONFIG_MAPS, data(name, 1));
});

it('costs are bounded', async (s) => {
  const many = Array.from({ length: 100 }, (_, index) => String(index)).join(',');
  const list = `[${many}]`;
  await enforced(
    s,
    'costly',
    policy('costly', {
      validations: [{ expression: `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))` }],
    }),
    binding('costly', 'costly'),
  );
  await s.post(CONFIG_MAPS, data('a', 1));
});

it('policies that make no sense are refused', async (s) => {
  const bad = (spec: Record<string, unknown>) => s.post(POLICIES, policy('bad', spec));
  await bad({});
  await bad({ validations: [{ expression: 'object.' }] });
  await bad({ validations: [{ expression: "'text'" }] });
  await bad({ validations: [{ expression: 'params.x == 1' }] });
  await bad({ validations: [{ expression: 'true', messageExpression: '1' }] });
  await bad({
    validations: [{ expression: 'true', messageExpression: "authorizer.path('/x').check('get').reason()" }],
  });
  await bad({ validations: [{ expression: 'variables.x' }] });
  await bad({ variables: [{ name: 'x', expression: 'y' }], validations: [{ expression: 'variables.x' }] });
  await bad({ variables: [{ name: 'x', expression: '1' }], validations: [{ expression: 'variables.x' }] });
  await bad({ variables: [{ name: 'x y', expression: '1' }], validations: [{ expression: 'true' }] });
  await bad({
    variables: [
      { name: 'a', expression: 'variables.b' },
      { name: 'b', expression: '1' },
    ],
    validations: [{ expression: 'true' }],
  });
  await bad({ matchConditions: [{ name: 'a', expression: '1' }], validations: [{ expression: 'true' }] });
  await bad({ auditAnnotations: [{ key: 'k', valueExpression: '1' }] });
  await bad({ auditAnnotations: [{ key: 'k', valueExpression: 'nope' }] });
  await s.post(BINDINGS, binding('bad', 'bad', { validationActions: ['Deny', 'Warn'] }));
  await s.post(BINDINGS, binding('bad', 'bad', { validationActions: [] }));
  await s.post(BINDINGS, binding('bad', 'bad', { paramRef: {} }));
  await s.post(
    POLICIES,
    policy('good', { validations: [{ expression: 'true' }], auditAnnotations: [{ key: 'k', valueExpression: "'x'" }] }),
  );
  await s.merge(`${POLICIES}/${named('good')}`, { spec: { validations: [{ expression: 'nope' }] } });
});
