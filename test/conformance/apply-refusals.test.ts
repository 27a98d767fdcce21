import { CONFIG_MAPS, DEPLOYMENTS, configMap, deployment, given } from '../src/conformance/objects.js';
import { APPLY, type Answer, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('apply-refusals');
const X = `${CONFIG_MAPS}/x`;
const D = `${DEPLOYMENTS}/d`;

function raw(s: Session, text: string | Uint8Array, query = '', target = X): Promise<Answer> {
  return s.call('PATCH', `${target}?fieldManager=one${query}`, { raw: text, type: APPLY });
}

it('an apply must name its manager, and only an apply may be forced', async (s) => {
  await s.call('PATCH', X, { body: configMap('x'), type: APPLY });
  await s.apply(X, '', configMap('x'));
  await s.apply(X, 'm'.repeat(129), configMap('x'));
  await s.apply(X, 'a%00b', configMap('x'));
  await s.apply(X, 'one', configMap('x'), 'force=perhaps');
  await s.apply(X, 'one', configMap('x'), 'force=true&dryRun=Some');
  await s.merge(`${X}?force=true`, { data: {} });
  await s.merge(`${X}?force=false&fieldManager=a`, { data: {} });
  await s.call('PATCH', CONFIG_MAPS, { body: configMap('x'), type: APPLY });
});

it('a configuration names its kind and version, and those of the URL', async (s) => {
  await s.apply(X, 'one', { metadata: { name: 'x' } });
  await s.apply(X, 'one', { apiVersion: 'v1', metadata: { name: 'x' } });
  await s.apply(X, 'one', { kind: 'ConfigMap', metadata: { name: 'x' } });
  await s.apply(X, 'one', { ...configMap('x'), kind: 'Secret' });
  await s.apply(X, 'one', { ...configMap('x'), apiVersion: 'v2' });
  await s.apply(X, 'one', { ...configMap('x'), apiVersion: 'a/b/c' });
  await s.apply(X, 'one', { ...configMap('x'), apiVersion: 5 });
  await s.apply(X, 'one', { ...configMap('x'), kind: null });
  await given(s, CONFIG_MAPS, configMap('x'));
  await s.apply(X, 'one', { ...configMap('x'), kind: 'Secret' });
  await s.apply(X, 'one', { ...configMap('x'), apiVersion: 'v2' });
  await s.apply('/api/v1/namespaces/{ns}/nothings/x', 'one', configMap('x'));
});

it('name, namespace, uid and version of a configuration must be those of the object', async (s) => {
  await s.apply(X, 'one', configMap('y'));
  await s.apply(X, 'one', { ...configMap('x'), metadata: {} });
  await s.apply(X, 'one', { apiVersion: 'v1', kind: 'ConfigMap' });
  await s.apply(X, 'one', configMap('y'));
  await s.apply(X, 'one', configMap('x', {}, { namespace: 'elsewhere' }));
  await s.apply(X, 'one', configMap('x', {}, { namespace: '{ns}' }));
  await s.apply(X, 'one', configMap('x', {}, { uid: 'another' }));
  await s.apply(`${CONFIG_MAPS}/new`, 'one', configMap('new', {}, { uid: 'another' }));
  await s.apply(`${CONFIG_MAPS}/new`, 'one', configMap('new', {}, { resourceVersion: '1' }));
  await s.apply(`${CONFIG_MAPS}/new2`, 'one', configMap('new2', {}, { namespace: 'elsewhere' }));
  const stale = (await s.quiet('GET', X)).object().metadata;
  await s.apply(X, 'one', configMap('x', { a: '1' }, { resourceVersion: stale.resourceVersion, uid: stale.uid }));
  await s.apply(X, 'one', configMap('x', { a: '2' }, { resourceVersion: stale.resourceVersion }));
  await s.apply(X, 'one', configMap('x', { a: '2' }, { resourceVersion: 'abc' }));
  await s.apply(
    X,
    'one',
    configMap('x', { a: '2' }, { creationTimestamp: '2001-01-01T00:00:00Z', generation: 7, selfLink: '/x' }),
  );
  await s.apply(X, 'one', configMap('x', { a: '2' }, { creationTimestamp: null, generateName: 'x-' }));
  await s.apply('/api/v1/namespaces/no-such-{ns}/configmaps/x', 'one', configMap('x'));
});

it('a configuration brings no managers', async (s) => {
  const made = (await s.apply(X, 'one', configMap('x'))).object();
  await s.apply(X, 'one', made);
  await s.apply(X, 'one', configMap('x', {}, { managedFields: [{}] }));
  await s.apply(X, 'one', configMap('x', {}, { managedFields: [] }));
  await s.apply(X, 'one', configMap('x', {}, { managedFields: null }));
});

it('a body that is no YAML, or no map, is refused', async (s) => {
  await raw(s, '');
  await raw(s, 'null');
  await raw(s, '5');
  await raw(s, '"text"');
  await raw(s, '[]');
  await raw(s, '- a\n- b\n');
  await raw(s, '{"apiVersion":"v1","kind":"ConfigMap","metadata":[]}');
  await raw(s, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":5}}');
});

it('YAML is read as such', async (s) => {
  await raw(s, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: "1"\n  b: |\n    two\n    lines\n');
  await raw(s, '# comment\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: "1"}\n');
  await raw(s, '{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {c: "3"}}');
  await raw(s, '---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata: &d\n  e: "5"\n');
  await raw(s, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  n: 5\n');
  await raw(s, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  labels:\n    y: yes\n');
});

it('the words about broken YAML are those of its reader', async (s) => {
  await raw(s, 'a: b: c');
  await raw(s, 'a:\n\t- b\n');
  await raw(s, '{"apiVersion":');
});

it('warns of repeated and unknown fields or refuses them', async (s) => {
  const twice = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"1","a":"2"}}';
  await raw(s, twice, '&fieldValidation=Ignore');
  await raw(s, twice, '&fieldValidation=Warn');
  await raw(s, twice, '&fieldValidation=Strict');
  await raw(s, twice);
  const unknown = { ...deployment('d'), extra: 1 };
  await s.apply(D, 'one', unknown, 'fieldValidation=Ignore');
  await s.apply(D, 'one', unknown, 'fieldValidation=Warn');
  await s.apply(D, 'one', unknown, 'fieldValidation=Strict');
  await s.apply(D, 'one', deployment('d', { zork: { a: 1 } }));
  await s.apply(D, 'one', { ...deployment('d'), metadata: { name: 'd', labelz: {} } });
  await s.apply(D, 'one', deployment('d'), 'fieldValidation=Sometimes');
});

it('values of the wrong type are refused by the schema', async (s) => {
  await s.apply(D, 'one', deployment('d', { replicas: 'two' }));
  await s.apply(D, 'one', deployment('d', { replicas: 1.5 }));
  await s.apply(D, 'one', deployment('d', { template: [] }));
  await s.apply(D, 'one', deployment('d', { template: { spec: { containers: {} } } }));
  await s.apply(D, 'one', deployment('d', { template: { spec: { containers: ['c'] } } }));
  await s.apply(D, 'one', deployment('d', { paused: 'yes' }));
  await s.apply(X, 'one', configMap('x', { a: 5 }));
  await s.apply(X, 'one', { ...configMap('x'), data: [] });
  await s.apply(X, 'one', configMap('x', {}, { labels: ['a'] }));
  await s.apply(X, 'one', configMap('x', {}, { finalizers: { a: 1 } }));
});

const container = (fields: object): object =>
  deployment('d', {
    template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'c', image: 'i', ...fields }] } },
  });

it('a fraction in place of a number or a name is refused by the type of its own', async (s) => {
  await s.apply(D, 'one', container({ livenessProbe: { httpGet: { port: 1.5 } } }));
});

it('values that fit the schema and not the kind are refused by the kind', async (s) => {
  await s.apply(D, 'one', container({ ports: [{ containerPort: 80.5 }] }));
  await s.apply(D, 'one', container({ resources: { limits: { cpu: 'abc' } } }));
  await s.apply(D, 'one', container({ livenessProbe: { httpGet: { port: true } } }));
  await s.apply(D, 'one', deployment('d', { template: { metadata: { creationTimestamp: 'abc' } } }));
  await s.apply(D, 'one', deployment('d', { template: { metadata: { creationTimestamp: 5 } } }));
});

it('what does not hold is Invalid whether it is new or not', async (s) => {
  await s.apply(`${CONFIG_MAPS}/Not_A_Name`, 'one', configMap('Not_A_Name'));
  await s.apply(X, 'one', configMap('x', { 'bad key!': '1' }));
  await s.apply(D, 'one', deployment('d', { replicas: -1 }));
  await s.apply(D, 'one', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } });
  await s.apply(D, 'one', deployment('d'));
  await s.apply(D, 'one', deployment('d', { selector: { matchLabels: { app: 'other' } } }));
  await s.apply(D, 'one', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } });
  await s.apply(
    D,
    'two',
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: { replicas: -2 } },
    'force=true',
  );
});
