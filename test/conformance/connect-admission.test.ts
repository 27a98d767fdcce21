import type { JsonObject } from '@capstan/meta';
import { PODS, given, pod } from '../src/conformance/objects.js';
import { binding, constraints, enforced, policy, withdrawn } from '../src/conformance/policies.js';
import { suite } from '../src/conformance/suite.js';
import { noting, withHooks } from '../src/conformance/webhooks.js';
import { patch, type HookReply } from '../src/hook-server.js';

const it = suite('connect-admission');
const SERVICES = '/api/v1/namespaces/{ns}/services';
const TWO = {
  containers: [
    { name: 'a', image: 'x' },
    { name: 'b', image: 'x' },
  ],
};

/** Of what connects, in the namespace of the test; of nodes those that only it speaks of. */
const fields = (resources: readonly string[]): JsonObject => ({
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: [...resources] }],
  objectSelector: {},
  matchConditions: [
    { name: 'ours', expression: "request.resource.resource != 'nodes' || request.name.startsWith('test-')" },
  ],
});
const POD_WAYS = ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/proxy'];
const ALL_WAYS = [...POD_WAYS, 'services/proxy', 'nodes/proxy'];
const refuse = (message: string): HookReply => ({ response: { allowed: false, status: { message } } });

it('admission reviews commands and ports with their options, before the pod is looked up', async (s) => {
  await given(s, PODS, pod('one'));
  const hooks = [{ name: 'a', handle: noting(s, 'asked', refuse('not today')), fields: fields(ALL_WAYS) }];
  await withHooks(s, 'Validating', hooks, async () => {
    for (const verb of ['exec', 'attach']) {
      await s.call('POST', `${PODS}/one/${verb}?command=sh&command=-c&stdin=true&stdout=1&tty=false&container=a`);
      await s.get(`${PODS}/one/${verb}?stdout&stderr=TRUE&stdin=`);
      await s.call('POST', `${PODS}/none/${verb}`);
      await s.call('POST', `${PODS}/one/${verb}?dryRun=All`);
    }
    await s.call('POST', `${PODS}/one/portforward`);
    await s.call('POST', `${PODS}/one/portforward?ports=80&ports=81`);
    await s.call('POST', `${PODS}/one/portforward?ports=http`);
    await s.get(`${PODS}/one/log`);
  });
});

it('admission reviews proxied requests, whatever their method', async (s) => {
  const hooks = [{ name: 'a', handle: noting(s, 'asked', refuse('not today')), fields: fields(ALL_WAYS) }];
  await withHooks(s, 'Validating', hooks, async () => {
    await s.get(`${PODS}/none/proxy`);
    await s.get(`${PODS}/none:80/proxy/`);
    await s.get(`${PODS}/none:80/proxy/a/b?c=d`);
    await s.put(`${PODS}/https:none:80/proxy/a/`, {});
    await s.call('DELETE', `${SERVICES}/none/proxy/x?path=%2Fy`);
    await s.call('OPTIONS', `${SERVICES}/none/proxy/a%2Fb`);
    await s.get('/api/v1/nodes/test-node/proxy/healthz');
    await s.call('POST', '/api/v1/nodes/test-node:10250/proxy/run', { body: {} });
  });
});

it('a refusal names its operation', async (s) => {
  for (const type of ['Mutating', 'Validating'] as const) {
    const hooks = [{ name: 'a', handle: () => refuse('closed'), fields: fields(ALL_WAYS) }];
    await withHooks(s, type, hooks, async () => {
      await s.call('POST', `${PODS}/none/exec?command=date`);
      await s.get(`${SERVICES}/none:http/proxy/`);
    });
  }
});

it('options are what mutating webhooks make of them', async (s) => {
  await given(s, PODS, { ...pod('two'), spec: TWO });
  const replace = (value: string) => patch({ op: 'add', path: '/container', value });
  const asked = noting(s, 'validated');
  await withHooks(s, 'Validating', [{ name: 'v', handle: asked, fields: fields(POD_WAYS) }], async () => {
    for (const reply of [
      replace('elsewhere'),
      replace('b'),
      patch({ op: 'add', path: '/unknown', value: 1 }),
      patch({ op: 'add', path: '/stdin', value: 'yes' }),
      patch({ op: 'add', path: '/metadata', value: { name: 'x' } }),
      patch({ op: 'replace', path: '/kind', value: 'PodAttachOptions' }),
    ]) {
      const hooks = [{ name: 'm', handle: noting(s, 'mutating', reply), fields: fields(['pods/exec']) }];
      await withHooks(s, 'Mutating', { configuration: 'mut', hooks }, async () => {
        await s.call('POST', `${PODS}/two/exec?container=a&command=date`);
      });
    }
  });
});

it('options have no labels to be chosen by', async (s) => {
  await given(s, PODS, pod('one', { labels: { app: 'a' } }));
  const chosen = (objectSelector: JsonObject) => ({ ...fields(POD_WAYS), objectSelector });
  const hooks = [
    { name: 'a', handle: () => refuse('a'), fields: chosen({ matchLabels: { app: 'a' } }) },
    {
      name: 'b',
      handle: () => refuse('b'),
      fields: chosen({ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }),
    },
  ];
  for (const type of ['Mutating', 'Validating'] as const) {
    await withHooks(s, type, hooks, async () => {
      await s.call('POST', `${PODS}/one/exec`);
    });
  }
});

it('policies check commands by what is to be run', async (s) => {
  await given(s, PODS, pod('one'));
  const rules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT', 'CREATE'], resources: [...POD_WAYS, 'configmaps'] },
  ];
  const matchConditions = [{ name: 'connects', expression: "request.operation == 'CONNECT'" }];
  const validations = [
    {
      expression: "request.kind.kind != 'PodExecOptions' || !has(object.command) || object.command[0] != 'rm'",
      messageExpression: "'may not run ' + object.command.join(' ')",
    },
    { expression: "request.subResource != 'portforward' || !(80 in object.ports)", message: 'not that port' },
    { expression: "request.subResource != 'proxy' || object.path != '/secret'", message: 'not that page' },
  ];
  const spec = { matchConstraints: constraints(rules), matchConditions, validations };
  try {
    await enforced(s, 'commands', policy('commands', spec), binding('commands', 'commands'));
    await s.call('POST', `${PODS}/one/exec?command=rm&command=-r`);
    await s.call('POST', `${PODS}/one/exec?command=ls`);
    await s.call('POST', `${PODS}/one/exec`);
    await s.call('POST', `${PODS}/one/attach`);
    await s.call('POST', `${PODS}/one/portforward?ports=79&ports=80`);
    await s.call('POST', `${PODS}/one/portforward`);
    await s.get(`${PODS}/one/proxy/secret`);
    await s.get(`${PODS}/one/proxy/public`);
  } finally {
    await withdrawn(s);
  }
});

it('admission reviews evictions', async (s) => {
  await given(s, PODS, pod('one', { labels: { app: 'a' } }, { nodeName: 'n' }));
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'one', labels: { mine: 'yes' } } };
  const evictions = (fieldsOfHook: JsonObject = {}): JsonObject => ({
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods/eviction', 'pods'] }],
    objectSelector: {},
    ...fieldsOfHook,
  });
  const validating = [{ name: 'v', handle: noting(s, 'validated', refuse('stays')), fields: evictions() }];
  const grace = patch({ op: 'add', path: '/deleteOptions', value: { gracePeriodSeconds: 7 } });
  const mutating = [{ name: 'm', handle: noting(s, 'mutating', grace), fields: evictions() }];
  await withHooks(s, 'Validating', validating, async () => {
    await s.post(`${PODS}/one/eviction`, eviction);
    await s.post(`${PODS}/none/eviction`, { ...eviction, metadata: { name: 'none' } });
    await s.post(`${PODS}/one/eviction`, { ...eviction, metadata: { name: 'other' } });
    await s.post(`${PODS}/one/eviction?dryRun=All`, { ...eviction, apiVersion: 'policy/v1beta1' });
  });
  await withHooks(s, 'Mutating', mutating, async () => {
    await s.post(`${PODS}/one/eviction`, { ...eviction, metadata: { name: 'other' } });
    await s.post(`${PODS}/one/eviction`, eviction);
    await s.get(`${PODS}/one`);
  });
});
