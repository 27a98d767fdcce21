import { CONFIG_MAPS, DEPLOYMENTS, configMap, deployment, given } from '../src/conformance/objects.js';
import { JSON_PATCH, MERGE, STRATEGIC, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('bad-patches');
const D = `${DEPLOYMENTS}/d`;

const patch = (s: Session, path: string, body: unknown, type: string): Promise<unknown> =>
  s.call('PATCH', path, { body, type });

it('a strategic patch of the wrong types is refused by the way from maps to types', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d'));
  const bodies: object[] = [
    { metadata: 'x' },
    { metadata: { name: 5 } },
    { metadata: { labels: 'x' } },
    { metadata: { labels: { a: 1 } } },
    { metadata: { labels: { a: [1] } } },
    { spec: true },
    { spec: { replicas: 'two' } },
    { spec: { replicas: 1.5 } },
    { spec: { replicas: [1] } },
    { spec: { paused: 1 } },
    { spec: { paused: 'yes' } },
    { spec: { strategy: { type: 7 } } },
    { spec: { strategy: { rollingUpdate: { maxSurge: 1.5 } } } },
    { spec: { template: { spec: { containers: 'c' } } } },
    { spec: { template: { spec: { nodeSelector: [] } } } },
    { spec: { template: { metadata: { creationTimestamp: 5 } } } },
  ];
  for (const body of bodies) await patch(s, D, body, STRATEGIC);
  const secrets = '/api/v1/namespaces/{ns}/secrets';
  await given(s, secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, data: { a: 'AAE=' } });
  for (const a of ['not base64', 5, ['a'], [1, 2], [1.5], {}])
    await patch(s, `${secrets}/x`, { data: { a } }, STRATEGIC);
});

it('a patched object that does not fit is shown, what the patch touched with sorted keys', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d'));
  await given(s, CONFIG_MAPS, configMap('x', { b: '1', a: '2' }, { labels: { z: '1', y: '2' } }));
  await patch(s, `${CONFIG_MAPS}/x`, { data: { c: 5 } }, MERGE);
  await patch(s, `${CONFIG_MAPS}/x`, { metadata: { labels: 5 } }, MERGE);
  await patch(s, `${CONFIG_MAPS}/x`, { data: { c: { z: 1, a: [{ z: 1, b: 2 }] } } }, MERGE);
  await patch(s, D, { metadata: { annotations: { z: 1, a: '2' } } }, MERGE);
  await patch(s, D, { spec: { replicas: 'two' } }, MERGE);
  await patch(s, D, [{ op: 'replace', path: '/spec/replicas', value: 'two' }], JSON_PATCH);
  await patch(s, D, [{ op: 'add', path: '/metadata/labels', value: { z: 1, a: 2 } }], JSON_PATCH);
});

it('unknown fields of a patch are listed in their order', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d'));
  const body = { spec: { zz: 1, aa: 2 }, extra: 1, metadata: { odd: 1 } };
  for (const type of [MERGE, STRATEGIC]) {
    await patch(s, `${D}?dryRun=All`, body, type);
    await patch(s, `${D}?dryRun=All&fieldValidation=Strict`, body, type);
  }
});

it('a dry run accepts a resourceVersion on create, and shows storage keys without their root', async (s) => {
  const created = await given(s, CONFIG_MAPS, configMap('x'));
  await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('y', {}, { resourceVersion: '5' }));
  const other = { ...created.object(), metadata: { ...created.object().metadata, uid: 'other' } };
  await s.put(`${CONFIG_MAPS}/x?dryRun=All`, other);
  await s.put(`${CONFIG_MAPS}/x`, other);
});
