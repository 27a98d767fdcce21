import { CONFIG_MAPS, PODS, configMap, given, pod } from '../src/conformance/objects.js';
import { JSON_PATCH, MERGE } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('odd-bodies');
const NETWORKING = '/apis/networking.k8s.io/v1';
const EVENTS = '/apis/events.k8s.io/v1/namespaces/{ns}/events';
const dry = (collection: string): string => `${collection}?dryRun=All`;

it('kind and version are found in any case, the last of several counts', async (s) => {
  const send = (raw: string, type = 'application/json'): Promise<unknown> =>
    s.call('POST', dry(CONFIG_MAPS), { raw, type });
  await send('{"APIVERSION":"v9","kind":"ConfigMap","metadata":{"name":"x"}}');
  await send('{"apiVersion":"v1","KIND":"Secret","metadata":{"name":"x"}}');
  await send('{"apiVersion":"v1","kind":"ConfigMap","Kind":"Secret","metadata":{"name":"x"}}');
  await send('{"apiVersion":"v1","Kind":"Secret","kind":"ConfigMap","metadata":{"name":"x"}}');
  await send('{"apiVersion":"v1","Kind":1,"kind":"ConfigMap","metadata":{"name":"x"}}');
  await send('APIVERSION: v9\nkind: ConfigMap\n', 'application/yaml');
});

it('a patch may leave out the kind, but not the version', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  const target = dry(`${CONFIG_MAPS}/x`);
  await s.merge(target, { kind: null });
  await s.merge(target, { apiVersion: null });
  await s.merge(target, { kind: null, apiVersion: null });
  await s.merge(target, { KIND: 'Secret' });
});

it('repeated and unknown fields of a patch and of a binding are reported', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  await s.call('PATCH', dry(`${CONFIG_MAPS}/x`), {
    raw: '[{"op":"add","op":"add","path":"/data/b","value":"c","more":1}]',
    type: JSON_PATCH,
  });
  await given(s, PODS, pod('p'));
  const raw =
    '{"apiVersion":"v1","kind":"Binding","metadata":{"name":"p"},"target":{"name":"n","a":1,"name":"n"},"b":1}';
  await s.call('POST', dry(`${PODS}/p/binding`), { raw });
  await s.call('POST', `${dry(`${PODS}/p/binding`)}&fieldValidation=Strict`, { raw });
  // Nobody reads what is inside a field that nobody knows.
  await s.call('POST', dry(CONFIG_MAPS), {
    raw: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"y"},"extra":{"a":1,"a":2}}',
  });
});

it('what is empty is shown as it was sent', async (s) => {
  const template = (labels: unknown): object => ({
    metadata: { labels },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  const set = (labels: unknown): object => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'x' },
    spec: { selector: { matchLabels: { a: 'b' } }, template: template(labels) },
  });
  await s.post(dry('/apis/apps/v1/namespaces/{ns}/replicasets'), set({}));
  await s.post(dry('/apis/apps/v1/namespaces/{ns}/replicasets'), set(null));
  const volume = (capacity: unknown): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'x-{ns}' },
    spec: { capacity, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
  });
  await s.post(dry('/api/v1/persistentvolumes'), volume({}));
  await s.post(dry('/api/v1/persistentvolumes'), volume(null));
});

it('a manager that sends an empty list owns it, and it is none', async (s) => {
  const limits = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits: [] } };
  await s.post(dry('/api/v1/namespaces/{ns}/limitranges'), limits);
  await s.post(dry('/api/v1/namespaces/{ns}/limitranges'), { ...limits, spec: { limits: null } });
});

it('jobs whose names are no labels are refused at their labels', async (s) => {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: '*' }, spec: { template } };
  await s.post(dry('/apis/batch/v1/namespaces/{ns}/jobs'), job);
});

it('an apply warns of repeated keys only when it succeeds', async (s) => {
  const type = 'application/apply-patch+yaml';
  const target = (force: boolean): string => `${dry(`${CONFIG_MAPS}/x`)}&fieldManager=b&force=${force}`;
  const raw = '{"apiVersion":"v1","kind":"ConfigMap","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"2"}}';
  await s.quiet('PATCH', `${CONFIG_MAPS}/x?fieldManager=a`, { body: configMap('x'), type });
  await s.call('PATCH', target(false), { raw, type });
  await s.call('PATCH', target(true), { raw, type });
});

it('bytes that are no text are shown one by one', async (s) => {
  const raw = Buffer.concat([Buffer.from('{"a"'), Buffer.from([0xe2, 0x82]), Buffer.from(':1}')]);
  await s.call('POST', dry(CONFIG_MAPS), { raw });
});

it('percentages are shown as JSON for pages', async (s) => {
  await s.post(dry('/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets'), {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'x' },
    spec: { maxUnavailable: '<&>', selector: {} },
  });
});

it('generateName is validated in updates of some kinds', async (s) => {
  const driver = '/apis/storage.k8s.io/v1/csinodes';
  const node = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'x-{ns}' },
    spec: { drivers: [] },
  };
  await s.quiet('POST', driver, { body: node });
  await s.merge(dry(`${driver}/x-{ns}`), { metadata: { generateName: 'No_Name' } });
  await s.quiet('DELETE', `${driver}/x-{ns}`);
  await given(s, CONFIG_MAPS, configMap('x'));
  await s.call('PATCH', dry(`${CONFIG_MAPS}/x`), { body: { metadata: { generateName: 'No_Name' } }, type: MERGE });
});

it(
  'addresses of services are checked',
  async (s) => {
    const address = (name: string, spec: object): object => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IPAddress',
      metadata: { name },
      spec,
    });
    const parentRef = { resource: 'services', namespace: 'n', name: 's' };
    await s.post(dry(`${NETWORKING}/ipaddresses`), address('192.0.2.1', { parentRef }));
    await s.post(dry(`${NETWORKING}/ipaddresses`), address('192.0.2.x', {}));
    await s.post(
      dry(`${NETWORKING}/ipaddresses`),
      address('192.0.2.01', { parentRef: { group: 'A', namespace: 'a/b' } }),
    );
    const range = (...cidrs: string[]): object => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'x-{ns}' },
      spec: { cidrs },
    });
    for (const cidrs of [['192.0.2.0/24'], [], ['a', '192.0.2.1/24'], ['192.0.2.0/24', '10.0.0.0/8'], ['a', 'b', 'c']])
      await s.post(dry(`${NETWORKING}/servicecidrs`), range(...cidrs));
  },
  { exempt: { 'real-1.30': 'it has no such kinds in this version' } },
);

it('the content of an event does not change', async (s) => {
  await given(s, EVENTS, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'x' },
    eventTime: '2020-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    type: 'Normal',
    regarding: { kind: 'Pod', namespace: '{ns}', name: 'p' },
  });
  await s.merge(dry(`${EVENTS}/x`), { reason: null, note: 'n', regarding: { name: 'q' }, related: { kind: 'Pod' } });
  await s.merge(dry(`${EVENTS}/x`), { eventTime: '2020-01-01T00:00:01.000000Z', action: 'B' });
});
