import { GROUP, custom, dismiss, givenDefinition, objectsPath, ready, specVersion } from '../src/conformance/crds.js';
import { CONFIG_MAPS, configMap, given } from '../src/conformance/objects.js';
import type { Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { WEBHOOKS, clientConfig, noting, withHooks, type Hook } from '../src/conformance/webhooks.js';
import { ALLOWED, patch } from '../src/hook-server.js';

const it = suite('webhooks-matching');
const VALIDATING = `${WEBHOOKS}/validatingwebhookconfigurations`;
const MUTATING = `${WEBHOOKS}/mutatingwebhookconfigurations`;

/** Expressions by what they are about. */
const CONDITIONS: Readonly<Record<string, string>> = {
  object: "object.data.a == '1'",
  old: 'oldObject == null',
  operation: "request.operation == 'CREATE' && request.dryRun",
  kind: "request.kind == request.requestKind && request.kind.kind == 'ConfigMap' && request.kind.version == 'v1'",
  resource: "request.resource.resource == 'configmaps' && request.resource.group == ''",
  user: "request.userInfo.username == 'admin' && 'system:masters' in request.userInfo.groups",
  name: "request.name == 'x' && has(request.namespace)",
  sub: "!has(request.subResource) || request.subResource == ''",
  options: "request.options.kind == 'CreateOptions'",
  authorizer: "authorizer.group('').resource('pods').namespace('default').check('create').allowed()",
  self: "authorizer.requestResource.check('create').allowed()",
  account: "!authorizer.serviceAccount('default', 'nobody').group('').resource('pods').check('create').allowed()",
  path: "authorizer.path('/healthz').check('get').allowed()",
  false: 'false',
  missing: "object.data.none == '1'",
  'missing-guarded': "has(object.data.none) && object.data.none == '1'",
  namespace: "namespaceObject == null || namespaceObject.metadata.name != ''",
  division: '1 / 0 == 1',
  index: '[1, 2][5] == 1',
};

const condition = (name: string, expression: string): object => ({ name: `c-${name}`, expression });

it('match conditions can read the request', async (s) => {
  const seen: string[] = [];
  const hooks = Object.entries(CONDITIONS).map(([name, expression]): Hook => ({
    name,
    handle: () => {
      seen.push(name);
      return ALLOWED;
    },
    fields: { failurePolicy: 'Ignore', matchConditions: [condition(name, expression)] as never },
  }));
  await withHooks(s, 'Validating', hooks, async () => {
    await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('x'));
    s.remark('asked', seen.toSorted());
  });
});

it('match conditions that end in an error refuse, unless another is false', async (s) => {
  for (const expressions of [
    ["object.data.none == '1'"],
    ['1 / 0 == 1', "object.data.none == '1'"],
    ["object.data.none == '1'", 'false'],
    ["object.data.none == '1'", 'true'],
    ['[1, 2, 3].all(x, [1, 2, 3].all(y, [1, 2, 3].all(z, x + y + z > 0)))'],
  ]) {
    const matchConditions = expressions.map((each, at) => condition(`${at}`, each)) as never;
    const hooks = [{ name: 'a', handle: () => ALLOWED, fields: { matchConditions } }];
    for (const type of ['Validating', 'Mutating'] as const)
      await withHooks(s, type, hooks, async () => {
        await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('x'));
      });
  }
});

it('match conditions see the changes of earlier webhooks', async (s) => {
  const seen: string[] = [];
  const hooks: Hook[] = [
    { name: 'a', handle: () => patch({ op: 'add', path: '/data/hooked', value: 'yes' }) },
    {
      name: 'b',
      handle: () => {
        seen.push('b');
        return ALLOWED;
      },
      fields: { matchConditions: [condition('x', "has(object.data.hooked) && object.data.hooked == 'yes'")] as never },
    },
  ];
  await withHooks(s, 'Mutating', hooks, async () => {
    await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('x'));
    s.remark('asked', seen);
  });
});

/** Expressions that are refused, and one that is not. */
const BROKEN = [
  '',
  ' ',
  'object.',
  'nobody == 1',
  'object.data.a',
  '1',
  "'text'",
  'params.x == 1',
  'variables.x == 1',
  'request.nothing == 1',
  'request.userInfo.nothing',
  'authorizer.nothing()',
  'namespaceObject.nothing',
  'request.operation == 1',
  "object.matches('(')",
  "'a'.matches('(')",
  'object.spec.replicas > 1 && oldObject == null',
];

it('conditions that do not compile are refused with their configuration', async (s) => {
  const { url } = await clientConfig('/x');
  const webhook = (name: string, fields: object): object => ({
    name: `${name}.example.com`,
    clientConfig: { url },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    rules: [{ apiGroups: ['x'], apiVersions: ['v1'], resources: ['x'], operations: ['CREATE'] }],
    ...fields,
  });
  for (const expression of BROKEN) {
    const matchConditions = [condition('x', expression)];
    await s.post(`${VALIDATING}?dryRun=All`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'x-{ns}' },
      webhooks: [webhook('a', { matchConditions })],
    });
  }
  const odd = [
    { matchConditions: [condition('x', 'true'), condition('x', 'true')] },
    { matchConditions: [{ name: '!', expression: 'true' }, { expression: 'true' }] },
    { sideEffects: 'Some' },
    { sideEffects: 'Unknown', failurePolicy: 'Maybe', matchPolicy: 'Close', timeoutSeconds: 31 },
    { admissionReviewVersions: ['v2'] },
    { admissionReviewVersions: [] },
    { reinvocationPolicy: 'Always' },
    { clientConfig: {} },
    { clientConfig: { url, service: { name: 'a', namespace: 'b' } } },
    { clientConfig: { url: 'http://example.com' } },
    { clientConfig: { url: 'https://user@example.com/x?y=z#f' } },
    { clientConfig: { service: { name: '', namespace: '', path: 'x//y', port: 70000 } } },
    { name: 'short.name' },
  ];
  for (const fields of odd)
    await s.post(`${MUTATING}?dryRun=All`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'x-{ns}' },
      webhooks: [webhook('a', fields)],
    });
});

async function withGears(s: Session, run: () => Promise<void>): Promise<void> {
  const [size, text] = [{ type: 'integer' }, { type: 'string' }];
  const versions = [
    specVersion({ size, one: { ...text, default: 'one' }, two: text }, { name: 'v1' }),
    specVersion({ size, one: text, two: { ...text, default: 'two' } }, { name: 'v2', storage: false }),
  ];
  await givenDefinition(s, 'gears', { versions });
  await ready(s, 'gears', 'v2');
  try {
    await run();
  } finally {
    await dismiss(s, 'gears');
  }
}

const gearRule = (apiVersions: string[]): { rules: never } => ({
  rules: [
    {
      apiGroups: [GROUP],
      apiVersions,
      resources: ['gears', 'gears/status'],
      operations: ['CREATE', 'UPDATE', 'DELETE'],
    },
  ] as never,
});

it('a rule for one version matches all versions, unless matchPolicy is Exact', async (s) => {
  const hook = (name: string, apiVersions: string[], matchPolicy: string): Hook => ({
    name,
    handle: noting(s, name),
    fields: { ...gearRule(apiVersions), matchPolicy },
  });
  const hooks = [hook('equivalent', ['v2'], 'Equivalent'), hook('exact', ['v1'], 'Exact')];
  await withGears(s, () =>
    // One after the other, so that what they are asked is written down in order.
    withHooks(s, 'Mutating', hooks, async () => {
      await s.post(objectsPath('gears'), custom('Gear', 'a', { spec: { size: 1 } }));
      await s.post(objectsPath('gears', 'v2'), custom('Gear', 'b', { spec: { size: 2, two: 'two' } }, 'v2'));
      await s.merge(`${objectsPath('gears')}/b`, { spec: { size: 3 } });
      await s.delete(`${objectsPath('gears', 'v2')}/b`);
    }),
  );
});

it('a change in another version is answered in the version of the request', async (s) => {
  const hooks: Hook[] = [
    {
      name: 'two',
      handle: () =>
        patch({ op: 'add', path: '/spec/two', value: 'set in v2' }, { op: 'add', path: '/spec/size', value: 5 }),
      fields: { ...gearRule(['v2']), matchPolicy: 'Equivalent' },
    },
    { name: 'one', handle: noting(s, 'v1 asked'), fields: { ...gearRule(['v1']), matchPolicy: 'Equivalent' } },
  ];
  await withGears(s, () =>
    withHooks(s, 'Mutating', hooks, async () => {
      await s.post(objectsPath('gears'), custom('Gear', 'a', { spec: { size: 1 } }));
      await s.post(objectsPath('gears', 'v2'), custom('Gear', 'b', { spec: { size: 1 } }, 'v2'));
    }),
  );
});

it('built-in kinds are converted too', async (s) => {
  const handle = noting(s, 'asked', (request) =>
    (request as unknown as { operation: string }).operation === 'CREATE'
      ? patch({ op: 'add', path: '/spec/minReplicas', value: 2 })
      : ALLOWED,
  );
  const autoscalers = { apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] };
  const fields = { rules: [{ ...autoscalers, operations: ['CREATE', 'UPDATE'] }] as never };
  await withHooks(s, 'Mutating', [{ name: 'a', handle, fields }], async () => {
    const at = '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers';
    await s.post(at, {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3 },
    });
    await s.merge(`${at}/a`, { spec: { maxReplicas: 4 } });
  });
});

it('namespaces are selected by their labels, and namespaces by their own', async (s) => {
  const seen: string[] = [];
  const handle = (request: object): typeof ALLOWED => {
    const { operation, name = '', namespace = '' } = request as Record<string, string>;
    seen.push(`${operation} ${name === s.ns ? '{ns}' : name} in ${namespace === s.ns ? '{ns}' : namespace}`);
    return ALLOWED;
  };
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'] };
  const fields = {
    rules: [{ ...rule, resources: ['configmaps', 'namespaces'] }] as never,
    namespaceSelector: { matchLabels: { watched: s.ns } },
  };
  await withHooks(s, 'Validating', [{ name: 'a', handle, fields }], async () => {
    await s.quiet('POST', CONFIG_MAPS, { body: configMap('before') });
    await s.quiet('PATCH', '/api/v1/namespaces/{ns}', {
      body: { metadata: { labels: { watched: s.ns } } },
      type: 'application/merge-patch+json',
    });
    // The labels of namespaces come to a real server's webhooks a moment later.
    for (let at = 0; at < 100 && !seen.some((each) => each.includes('poll')); at += 1)
      await s.quiet('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap(`poll${at}`) });
    await s.quiet('POST', CONFIG_MAPS, { body: configMap('after') });
    s.remark(
      'asked',
      seen.filter((each) => !each.includes('poll')),
    );
  });
  await given(s, CONFIG_MAPS, configMap('done'));
});
