import { CONFIG_MAPS, DEPLOYMENTS, configMap, deployment } from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('apply-lists');
const X = `${CONFIG_MAPS}/x`;
const D = `${DEPLOYMENTS}/d`;
const SERVICE = '/api/v1/namespaces/{ns}/services/x';

const labels = { app: 'd' };
const web = (...containers: object[]): object =>
  deployment('d', { template: { metadata: { labels }, spec: { containers } } });
/** A deployment as one manager sees it: some containers and nothing else. */
const part = (...containers: object[]): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: { template: { spec: { containers } } },
});
const service = (spec: object): object => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec });

it('containers are merged by name: each manager has its own, and fields of others', async (s) => {
  await s.apply(D, 'one', web({ name: 'a', image: 'a:1' }, { name: 'b', image: 'b:1' }));
  await s.apply(D, 'two', part({ name: 'side', image: 's:1' }));
  await s.apply(D, 'three', part({ name: 'a', tty: true }));
  await s.apply(D, 'three', part({ name: 'a', image: 'a:2' }));
  // The order follows the one who applies.
  await s.apply(D, 'one', web({ name: 'b', image: 'b:1' }, { name: 'a', image: 'a:1' }));
  await s.apply(D, 'one', web({ name: 'b', image: 'b:2' }));
  await s.apply(D, 'two', part());
});

it('ports of containers are merged by number and protocol, whose default counts', async (s) => {
  await s.apply(D, 'one', web({ name: 'a', image: 'a', ports: [{ containerPort: 80, name: 'http' }] }));
  await s.apply(D, 'two', part({ name: 'a', ports: [{ containerPort: 80, protocol: 'UDP' }] }));
  await s.apply(D, 'two', part({ name: 'a', ports: [{ containerPort: 80, protocol: 'TCP', name: 'web' }] }));
  await s.apply(D, 'two', part({ name: 'a', ports: [{ protocol: 'TCP' }] }));
  await s.apply(D, 'one', web({ name: 'a', image: 'a', ports: [{ containerPort: 80 }, { containerPort: 80 }] }));
  await s.apply(D, 'one', web({ name: 'a', image: 'a', ports: [] }));
});

it('variables are merged by name, arguments are one value', async (s) => {
  const env = (...names: string[]): object[] => names.map((name) => ({ name, value: `of ${name}` }));
  await s.apply(D, 'one', web({ name: 'a', image: 'a', env: env('A', 'B'), args: ['x', 'y'] }));
  await s.apply(D, 'two', part({ name: 'a', env: env('C') }));
  await s.apply(D, 'two', part({ name: 'a', env: [{ name: 'A', value: 'other' }] }));
  await s.apply(D, 'two', part({ name: 'a', args: ['x'] }));
  await s.apply(D, 'two', part({ name: 'a', args: ['x', 'y'] }));
  await s.apply(D, 'one', web({ name: 'a', image: 'a', env: env('B'), args: ['z'] }));
  await s.apply(
    D,
    'two',
    part({
      name: 'a',
      env: [
        { name: 'Q', value: '1' },
        { name: 'Q', value: '2' },
      ],
    }),
  );
  await s.apply(D, 'two', part({ name: 'a', env: [{ value: 'nameless' }] }));
});

it('live duplicates are tolerated', async (s) => {
  const doubled = [
    { name: 'A', value: '1' },
    { name: 'A', value: '2' },
  ];
  await s.post(DEPLOYMENTS, web({ name: 'a', image: 'a', env: doubled }));
  await s.apply(D, 'two', part({ name: 'a', env: [{ name: 'B', value: '1' }] }));
  await s.apply(D, 'two', part({ name: 'a', env: [{ name: 'A', value: '3' }] }));
  await s.apply(D, 'two', part({ name: 'a', env: [{ name: 'A', value: '3' }] }));
});

it('ports of services are merged by number and protocol', async (s) => {
  await s.apply(
    SERVICE,
    'one',
    service({
      selector: { a: '1' },
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 81, targetPort: 'b' },
      ],
    }),
  );
  await s.apply(SERVICE, 'two', service({ ports: [{ name: 'c', port: 80, protocol: 'UDP' }] }));
  await s.apply(SERVICE, 'two', service({ ports: [{ name: 'a', port: 80, protocol: 'TCP', targetPort: 8080 }] }));
  await s.apply(SERVICE, 'one', service({ ports: [{ name: 'a', port: 80 }] }));
  // A selector is one value.
  await s.apply(SERVICE, 'two', service({ selector: { b: '2' } }));
  await s.apply(SERVICE, 'two', service({ selector: { a: '1', b: '2' } }), 'force=true');
});

it('finalizers are a set', async (s) => {
  const held = (...finalizers: string[]): object =>
    configMap('x', {}, { finalizers: finalizers.map((each) => `example.com/${each}`) });
  await s.apply(X, 'one', held('a', 'b'));
  await s.apply(X, 'two', held('c', 'b'));
  await s.apply(X, 'one', held('a'));
  await s.apply(X, 'two', held('c'));
  await s.apply(X, 'two', held('d', 'd'));
  await s.merge(X, { metadata: { finalizers: ['example.com/a'] } });
});

it('owners are merged by uid', async (s) => {
  const owner = (uid: string, fields: object = {}): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: uid,
    uid,
    ...fields,
  });
  const owned = (...ownerReferences: object[]): object => configMap('x', {}, { ownerReferences });
  await s.apply(X, 'one', owned(owner('u1', { controller: true })));
  await s.apply(X, 'two', owned(owner('u2')));
  await s.apply(X, 'two', owned(owner('u2'), owner('u1', { blockOwnerDeletion: true, controller: true })));
  await s.apply(X, 'two', owned(owner('u3', { controller: true })));
  await s.apply(X, 'two', owned(owner('u2'), owner('u2')));
  await s.apply(X, 'one', configMap('x', {}));
});

it('labels, annotations and data are merged by key; odd keys are only keys', async (s) => {
  await s.apply(
    X,
    'one',
    configMap(
      'x',
      { 'a.b': '1', __proto__x: '1', '10': '1', '9': '1' },
      { labels: { 'example.com/a': '1' }, annotations: { a: '"q"' } },
    ),
  );
  await s.apply(
    X,
    'two',
    configMap('x', { 'a.b': '2', '10': '2' }, { labels: { 'example.com/a': '2' }, annotations: { a: '' } }),
  );
  await s.apply(X, 'two', configMap('x', { b: '' }, { labels: {}, annotations: {} }));
  await s.apply(X, 'one', configMap('x', {}, { labels: {} }));
});

it('null is a value that sets nothing', async (s) => {
  await s.apply(X, 'one', { ...configMap('x'), data: null });
  await s.apply(X, 'one', configMap('x', { a: null }));
  await s.apply(X, 'two', configMap('x', { a: '1' }));
  await s.apply(D, 'one', { ...(web({ name: 'a', image: 'a', env: null, resources: null }) as object), status: null });
  await s.apply(D, 'one', web({ name: 'a', image: 'a', resources: {}, securityContext: {} }));
  await s.apply(D, 'two', part({ name: 'a', resources: { limits: { cpu: '1' } } }));
  await s.apply(D, 'three', part({ name: 'a', resources: { limits: { cpu: '1000m' } } }));
});

it('an empty applied field is owned without being stored, and changes its owner with every apply', async (s) => {
  const labelled = (labelsOf: object): object => configMap('x', {}, { labels: labelsOf });
  await s.apply(X, 'one', labelled({ a: '1' }));
  await s.apply(X, 'two', labelled({}));
  await s.apply(X, 'one', labelled({}));
  await s.apply(X, 'one', labelled({}));
  await s.apply(X, 'two', labelled({}), 'force=true');
  await s.apply(X, 'two', labelled({ a: '1' }));
});
