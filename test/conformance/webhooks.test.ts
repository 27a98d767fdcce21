import { setTimeout as delay } from 'node:timers/promises';
import {
  CONFIG_MAPS,
  DEPLOYMENTS,
  PODS,
  configMap,
  deployment,
  given,
  pod,
  versionOf,
} from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';
import { CONFIG_MAP_RULE, clientConfig, noting, withHooks } from '../src/conformance/webhooks.js';
import { ALLOWED, base64, type HookReply } from '../src/hook-server.js';

const it = suite('webhooks');
const ALL = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const rule = (resources: string[], fields: object = {}): object => ({
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources,
  operations: ALL,
  ...fields,
});

it('validating webhooks see what is to be stored, and what was', async (s) => {
  await withHooks(s, 'Validating', [{ name: 'a', handle: noting(s, 'asked') }], async () => {
    await s.post(`${CONFIG_MAPS}?fieldManager=me&fieldValidation=Strict`, configMap('a'));
    await s.put(`${CONFIG_MAPS}/a`, configMap('a', { a: '2' }));
    await s.merge(`${CONFIG_MAPS}/a?fieldManager=you`, { data: { b: '1' } });
    await s.apply(`${CONFIG_MAPS}/a`, 'them', configMap('a', { c: '1' }));
    await s.apply(`${CONFIG_MAPS}/b`, 'them', configMap('b', { c: '1' }));
    await s.merge(`${CONFIG_MAPS}/a`, { data: { b: '1' } });
    await s.delete(`${CONFIG_MAPS}/a?gracePeriodSeconds=3&propagationPolicy=Background`);
    await s.delete(`${CONFIG_MAPS}/nobody`);
    await s.post(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } });
    await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('dry'));
  });
});

it('admission reviews each object of a deleted collection', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', {}, { labels: { x: '1' } }));
  await given(s, CONFIG_MAPS, configMap('b', {}, { labels: { x: '1' } }));
  const names: unknown[] = [];
  const handle = (request: object): HookReply => {
    const { name = '', oldObject, options, operation } = request as { name?: string } & Record<string, unknown>;
    names.push({ name, operation, options, old: (oldObject as { metadata: { name: string } }).metadata.name });
    return ALLOWED;
  };
  await withHooks(s, 'Validating', [{ name: 'a', handle }], async () => {
    await s.delete(`${CONFIG_MAPS}?labelSelector=x`);
    s.remark(
      'asked',
      names.toSorted((x, y) => (JSON.stringify(x) < JSON.stringify(y) ? -1 : 1)),
    );
  });
});

it('admission reviews graceful and final deletes of pods', async (s) => {
  await given(s, PODS, pod('unscheduled'));
  await given(s, PODS, pod('scheduled', {}, { nodeName: 'n', terminationGracePeriodSeconds: 5 }));
  await given(s, PODS, pod('held', { finalizers: ['example.com/x'] }));
  // A real server may ask about the same more than once, as often as its cache has it.
  const asked = new Set<string>();
  const handle = (request: object): HookReply => {
    const { name, operation, options } = request as Record<string, unknown>;
    asked.add(JSON.stringify({ name, operation, options }));
    return ALLOWED;
  };
  const fields = { rules: [rule(['pods'])] };
  await withHooks(s, 'Validating', [{ name: 'a', handle, fields }], async () => {
    const wanted = ['unscheduled', 'scheduled', 'scheduled', 'scheduled?gracePeriodSeconds=0', 'held', 'held'];
    for (const name of wanted) {
      asked.clear();
      await s.delete(`${PODS}/${name}`);
      s.remark(
        'asked',
        [...asked].map((each) => JSON.parse(each) as unknown),
      );
    }
    await s.merge(`${PODS}/held`, { metadata: { finalizers: null } });
  });
});

it('admission reviews subresources with the kind of their body', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 1 }));
  await given(s, PODS, pod('p'));
  await given(s, '/api/v1/namespaces/{ns}/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot' },
  });
  const fields = { rules: [rule(['*/*'])], objectSelector: {} };
  const handle = (request: object, review: object): HookReply => {
    const { resource } = request as { resource: { resource: string } };
    return resource.resource === 'configmaps'
      ? ALLOWED
      : (noting(s, 'asked')(request as never, review as never) as HookReply);
  };
  await withHooks(s, 'Validating', [{ name: 'a', handle, fields }], async () => {
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } };
    await s.put(`${DEPLOYMENTS}/d/scale`, scale);
    await s.merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: 2 } });
    await s.merge(`${DEPLOYMENTS}/d/status`, { status: { replicas: 2 } });
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
    await s.post(`${PODS}/p/binding`, binding);
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' };
    await s.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      ...review,
      spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
    });
  });
});

/** What a webhook may say when it refuses. */
const REFUSALS: readonly object[] = [
  { allowed: false },
  { allowed: false, status: { message: 'not today' } },
  { allowed: false, status: { reason: 'NotToday' } },
  { allowed: false, status: { code: 403, message: 'no', reason: 'Forbidden' } },
  { allowed: false, status: { code: 200, status: 'Success', message: 'fine' } },
  {
    allowed: false,
    status: {
      code: 422,
      message: 'bad spec',
      reason: 'Invalid',
      details: { name: 'x', kind: 'y', causes: [{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec.a' }] },
      metadata: { resourceVersion: '7' },
    },
  },
  { allowed: false, status: { code: 700, message: 'far out' } },
  { allowed: false, warnings: ['and a warning'], status: { message: 'no' } },
];

it('webhooks refuse in their own words', async (s) => {
  let reply: HookReply = ALLOWED;
  await withHooks(s, 'Validating', [{ name: 'a', handle: () => reply }], async () => {
    for (const response of REFUSALS) {
      reply = { response: response as never };
      await s.post(CONFIG_MAPS, configMap('a'));
    }
  });
});

it('the first of several refusals counts, in the order of the configuration', async (s) => {
  const refuse = (message: string): HookReply => ({ response: { allowed: false, status: { message } } });
  const hooks = [
    { name: 'a', handle: () => ALLOWED },
    { name: 'b', handle: () => refuse('b') },
  ];
  await withHooks(s, 'Validating', hooks, async () => {
    await s.post(CONFIG_MAPS, configMap('a'));
  });
});

/** Answers that are none. */
const LIES: readonly HookReply[] = [
  { response: { uid: 'another', allowed: true } },
  { review: { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' } },
  { review: {} },
  { review: ({ uid }) => ({ response: { uid, allowed: true } }) },
  { review: ({ uid }) => ({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1beta1', response: { uid } }) },
  { review: ({ uid }) => ({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v2', response: { uid } }) },
  { review: ({ uid }) => ({ kind: 'Pod', apiVersion: 'v1', response: { uid } }) },
  { review: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'mine', code: 500 } },
  { response: { allowed: true, patch: base64('[]') } },
  { response: { allowed: true, patchType: 'JSONPatch' } },
  { response: { allowed: 'yes' } },
  { response: { allowed: true, warnings: 'w' } },
  { response: { allowed: true, patch: '***' } },
  { status: 200, type: 'application/json', body: '{"a":' },
  { status: 200, type: 'application/json', body: '' },
  { status: 200, type: 'text/html', body: '<html>' },
  { status: 500, body: 'oh no' },
  { status: 500, type: 'application/json', body: '{}' },
  { status: 503, body: 'busy' },
  { status: 404, body: '404 page not found' },
  { status: 403, body: 'keep out' },
  { status: 418, body: 'teapot' },
  'hang-up',
];

it('a request fails when a required webhook does not answer or answers falsely', async (s) => {
  let reply: HookReply = ALLOWED;
  await withHooks(s, 'Validating', [{ name: 'a', handle: () => reply }], async () => {
    for (reply of LIES) await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('a'));
  });
});

it('a webhook that may be missed is', async (s) => {
  let reply: HookReply = ALLOWED;
  const hooks = [{ name: 'a', handle: () => reply, fields: { failurePolicy: 'Ignore' } }];
  await withHooks(s, 'Validating', hooks, async () => {
    for (reply of LIES) await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('a'));
    reply = { response: { allowed: false } };
    await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('a'));
  });
});

it(
  'a webhook that is too slow is cut off at its timeout',
  async (s) => {
    const hooks = [{ name: 'a', handle: (): HookReply => 'silence', fields: { timeoutSeconds: 1 } }];
    await withHooks(s, 'Validating', hooks, async () => {
      await s.post(CONFIG_MAPS, configMap('a'));
    });
  },
  { slow: true },
);

it(
  'the timeout of a request overrides those of its webhooks',
  async (s) => {
    for (const failurePolicy of ['Fail', 'Ignore'])
      for (const type of ['Validating', 'Mutating'] as const) {
        const fields = { timeoutSeconds: 5, failurePolicy };
        await withHooks(s, type, [{ name: 'a', handle: (): HookReply => 'silence', fields }], async () => {
          await s.post(`${CONFIG_MAPS}?timeout=1s`, configMap('a'));
        });
      }
  },
  { slow: true, exempt: { real: 'it closes the connection under its answer, which may get lost with it' } },
);

it('while one request waits for a webhook others go on', async (s) => {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  let asked = (): void => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const handle = async (): Promise<HookReply> => {
    asked();
    await gate;
    return ALLOWED;
  };
  const fields = { objectSelector: { matchLabels: { slow: 'yes' } } };
  await withHooks(s, 'Validating', [{ name: 'a', handle, fields }], async () => {
    const slow = s.quiet('POST', CONFIG_MAPS, { body: configMap('slow', {}, { labels: { slow: 'yes' } }) });
    await isAsked;
    await s.post(CONFIG_MAPS, configMap('quick'));
    await s.get(`${CONFIG_MAPS}/slow`);
    release();
    s.remark('slow', (await slow).status);
  });
});

it('a webhook may call the server from within', async (s) => {
  const handle = async (): Promise<HookReply> => {
    await s.post('/api/v1/namespaces/{ns}/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'inner' } });
    return ALLOWED;
  };
  await withHooks(s, 'Validating', [{ name: 'a', handle }], async () => {
    await s.post(CONFIG_MAPS, configMap('a'));
  });
});

it('a webhook that does not listen is reported with its address', async (s) => {
  const { caBundle } = await clientConfig('/');
  const fields = { clientConfig: { url: 'https://127.0.0.1:1/a', caBundle } };
  const service = { clientConfig: { service: { namespace: s.ns, name: 'nobody', path: '/x' }, caBundle } };
  await withHooks(s, 'Validating', [{ name: 'a', handle: () => ALLOWED, fields: fields as never }], async () => {
    await s.post(CONFIG_MAPS, configMap('a'));
  });
  await withHooks(s, 'Validating', [{ name: 'a', handle: () => ALLOWED, fields: service as never }], async () => {
    await s.post(CONFIG_MAPS, configMap('a'));
  });
  const untrusted = { clientConfig: { url: String((await clientConfig('/')).url) } };
  await withHooks(s, 'Validating', [{ name: 'a', handle: () => ALLOWED, fields: untrusted as never }], async () => {
    await s.post(CONFIG_MAPS, configMap('a'));
  });
});

it('warnings reach the client, cut when they are many', async (s) => {
  let warnings: string[] = [];
  const handle = (): HookReply => ({ response: { allowed: true, warnings } });
  await withHooks(s, 'Validating', [{ name: 'a', handle }], async () => {
    for (warnings of [
      ['one', 'two', 'one', ''],
      ['with "quotes" and \\', 'two\nlines', 'tab\there'],
      ['x'.repeat(300)],
      ['a'.repeat(4000), 'b'.repeat(300), 'c'],
      Array.from({ length: 30 }, (_, at) => `${at} ${'d'.repeat(300)}`),
    ]) {
      await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('a'));
    }
  });
});

it('reviews of the older version are spoken too', async (s) => {
  const handle = (request: object, review: object): HookReply => {
    const { kind, apiVersion } = review as { kind: string; apiVersion: string };
    s.remark('asked', { kind, apiVersion, fields: Object.keys(request) });
    return { review: { kind, apiVersion, response: { uid: 'whatever', allowed: true } } };
  };
  const fields = { admissionReviewVersions: ['v9', 'v1beta1', 'v1'] };
  await withHooks(s, 'Validating', [{ name: 'a', handle, fields }], async () => {
    await s.post(CONFIG_MAPS, configMap('a'));
  });
});

it('a second request within the time of the first sees its own version', async (s) => {
  const created = await given(s, CONFIG_MAPS, configMap('a'));
  let isFirst = true;
  const handle = async (): Promise<HookReply> => {
    if (isFirst) {
      isFirst = false;
      await s.quiet('PATCH', `${CONFIG_MAPS}/a`, {
        body: { data: { inner: '1' } },
        type: 'application/merge-patch+json',
      });
      await delay(0);
    }
    return ALLOWED;
  };
  const calls: string[] = [];
  const counting = async (request: object): Promise<HookReply> => {
    calls.push((request as { operation: string }).operation);
    return handle();
  };
  await withHooks(s, 'Validating', [{ name: 'a', handle: counting }], async () => {
    await s.put(`${CONFIG_MAPS}/a`, configMap('a', { outer: '1' }));
    isFirst = true;
    await s.merge(`${CONFIG_MAPS}/a`, { data: { patched: '1' } });
    isFirst = true;
    await s.put(`${CONFIG_MAPS}/a`, configMap('a', { b: '1' }, { resourceVersion: versionOf(created) }));
    s.remark('asked', calls);
  });
});

it('rules match resources, versions, scopes and operations', async (s) => {
  const seen: string[] = [];
  const hook = (name: string, rules: object[]): { name: string; handle: () => HookReply; fields: never } => ({
    name,
    handle: () => {
      seen.push(name);
      return ALLOWED;
    },
    fields: { rules } as never,
  });
  const hooks = [
    hook('create', [{ ...CONFIG_MAP_RULE, operations: ['CREATE'] }]),
    hook('any', [rule(['*'])]),
    hook('subresources', [rule(['*/status'])]),
    hook('everything', [rule(['*/*'])]),
    hook('namespaced', [rule(['*'], { scope: 'Namespaced' })]),
    hook('cluster', [rule(['*'], { scope: 'Cluster' })]),
    hook('other-version', [rule(['*'], { apiVersions: ['v2'] })]),
    hook('other-group', [rule(['*'], { apiGroups: ['apps'] })]),
    hook('two', [rule(['secrets']), rule(['configmaps'], { operations: ['UPDATE'] })]),
  ];
  const after = async (title: string, run: () => Promise<unknown>): Promise<void> => {
    seen.length = 0;
    await run();
    s.remark(title, seen.toSorted());
  };
  await given(s, DEPLOYMENTS, deployment('d'));
  await withHooks(s, 'Validating', hooks, async () => {
    await after('create', () => s.quiet('POST', CONFIG_MAPS, { body: configMap('a') }));
    await after('update', () => s.merge(`${CONFIG_MAPS}/a`, { data: { b: '1' } }));
    await after('read', () => s.quiet('GET', `${CONFIG_MAPS}/a`));
    await after('status', () => s.merge(`${DEPLOYMENTS}/d/status`, { status: { replicas: 1 } }));
    await after('namespace', () => s.merge('/api/v1/namespaces/{ns}', { metadata: { labels: { b: '1' } } }));
    await after('delete', () => s.quiet('DELETE', `${CONFIG_MAPS}/a`));
  });
});

it('objects are selected by their labels, old or new', async (s) => {
  const seen: string[] = [];
  const handle = (request: object): HookReply => {
    seen.push((request as { operation: string }).operation);
    return ALLOWED;
  };
  const fields = { objectSelector: { matchLabels: { x: '1' } } };
  await withHooks(s, 'Validating', [{ name: 'a', handle, fields }], async () => {
    await s.quiet('POST', CONFIG_MAPS, { body: configMap('a') });
    await s.merge(`${CONFIG_MAPS}/a`, { metadata: { labels: { x: '1' } } });
    await s.merge(`${CONFIG_MAPS}/a`, { metadata: { labels: { x: '2' } } });
    await s.merge(`${CONFIG_MAPS}/a`, { metadata: { labels: { x: '3' } } });
    s.remark('asked', seen);
  });
});

it('webhook configurations are not sent to webhooks', async (s) => {
  const fields = {
    rules: [rule(['*/*'])],
    namespaceSelector: {},
    objectSelector: { matchLabels: { 'conf-test': s.ns } },
  };
  const seen: unknown[] = [];
  const handle = (request: object): HookReply => {
    seen.push((request as { kind: { kind: string } }).kind.kind);
    return ALLOWED;
  };
  await withHooks(s, 'Validating', [{ name: 'a', handle, fields }], async () => {
    const labels = { 'conf-test': s.ns };
    const at = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
    await s.post(`${at}?dryRun=All`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: `other-${s.ns}`, labels },
    });
    await s.post(`/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: `role-${s.ns}`, labels },
    });
    s.remark('asked', seen);
  });
});
