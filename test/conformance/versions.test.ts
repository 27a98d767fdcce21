import { expect } from 'vitest';
import { CONFIG_MAPS, DEPLOYMENTS, configMap, deployment, given, versionOf } from '../src/conformance/objects.js';
import { JSON_PATCH, MERGE, STRATEGIC } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('versions');

it('every write gets a greater resourceVersion of one counter for all kinds (trap 2)', async (s) => {
  const first = Number(versionOf(await s.post(CONFIG_MAPS, configMap('a'))));
  const second = Number(versionOf(await s.post(DEPLOYMENTS, deployment('b'))));
  const third = Number(versionOf(await s.merge(`${CONFIG_MAPS}/a`, { data: { a: '2' } })));
  expect(first).toBeLessThan(second);
  expect(second).toBeLessThan(third);
  const list = await s.quiet('GET', CONFIG_MAPS);
  expect(Number(versionOf(list))).toBeGreaterThanOrEqual(third);
});

it('a write that changes nothing leaves version and watchers alone (trap 3)', async (s) => {
  const made = await s.post(CONFIG_MAPS, configMap('a', { a: '1' }, { labels: { l: '1' } }));
  const watch = await s.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${versionOf(made)}`);
  await s.put(`${CONFIG_MAPS}/a`, made.object());
  await s.put(`${CONFIG_MAPS}/a`, configMap('a', { a: '1' }, { labels: { l: '1' } }));
  await s.merge(`${CONFIG_MAPS}/a`, { data: { a: '1' } });
  await s.merge(`${CONFIG_MAPS}/a`, {}, { type: STRATEGIC });
  await s.call('PATCH', `${CONFIG_MAPS}/a`, { body: [], type: JSON_PATCH });
  await s.call('PATCH', `${CONFIG_MAPS}/a`, { body: [{ op: 'test', path: '/data/a', value: '1' }], type: JSON_PATCH });
  await s.merge(`${CONFIG_MAPS}/a`, { data: { a: '2' } });
  await watch.until(1);
  s.note('one event alone', watch);
});

it('a put without a version replaces whatever is there', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', { a: '1', b: '2' }, { labels: { l: '1' }, annotations: { n: '1' } }));
  await s.put(`${CONFIG_MAPS}/a`, configMap('a', { c: '3' }));
  await s.put(`${CONFIG_MAPS}/a`, configMap('a', { c: '4' }, { resourceVersion: '0' }));
  await s.put(`${CONFIG_MAPS}/a`, configMap('a', { c: '5' }, { resourceVersion: '' }));
});

it(
  'of two puts with the same version one wins',
  async (s) => {
    const made = (await given(s, CONFIG_MAPS, configMap('a'))).object();
    const put = (value: string): Promise<number> =>
      s.quiet('PUT', `${CONFIG_MAPS}/a`, { body: { ...made, data: { v: value } } }).then(({ status }) => status);
    const statuses = await Promise.all(['1', '2', '3', '4', '5'].map(put));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
  },
  { recordsNothing: true },
);

it('patches without a version never conflict', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', {}));
  const keys = ['1', '2', '3', '4', '5', '6'];
  const answers = await Promise.all(
    keys.map((key) => s.quiet('PATCH', `${CONFIG_MAPS}/a`, { body: { data: { [key]: 'x' } }, type: MERGE })),
  );
  expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
  await s.quiet('GET', `${CONFIG_MAPS}/a`).then((read) => s.remark('all keys', read.object()['data']));
});

it('the system sets what clients may not', async (s) => {
  const forged = {
    uid: 'mine',
    creationTimestamp: '2001-01-01T00:00:00Z',
    deletionTimestamp: '2001-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 5,
    generation: 9,
    selfLink: '/me',
  };
  await s.post(CONFIG_MAPS, configMap('a', {}, forged));
  await s.post(DEPLOYMENTS, {
    ...deployment('d'),
    metadata: { name: 'd', ...forged },
    status: { replicas: 5, observedGeneration: 4 },
  });
  await s.put(`${DEPLOYMENTS}/d`, {
    ...deployment('d'),
    status: { replicas: 5 },
    metadata: { name: 'd', generation: 44 },
  });
});

it('generateName makes up a name of five characters', async (s) => {
  const generated = (generateName: string, name?: string): object => ({
    ...configMap('x'),
    metadata: { generateName, ...(name === undefined ? {} : { name }) },
  });
  const made = await s.post(CONFIG_MAPS, generated('gen-'));
  expect(made.object().metadata.name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  await s.post(CONFIG_MAPS, generated('gen-', 'named'));
  await s.post(CONFIG_MAPS, generated('Not gen-'));
  await s.post(`${CONFIG_MAPS}?dryRun=All`, generated('gen-'));
  const long = await s.quiet('POST', CONFIG_MAPS, { body: generated('x'.repeat(100)) });
  expect(long.object().metadata.name).toHaveLength(63);
});

it('a dry run of every verb answers as if, and changes nothing', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('b'));
  await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('a'));
  await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('Bad Name'));
  await s.put(`${CONFIG_MAPS}/a?dryRun=All`, configMap('a', { x: 'y' }));
  await s.merge(`${CONFIG_MAPS}/a?dryRun=All`, { data: { m: 'n' } });
  await s.delete(`${CONFIG_MAPS}/a?dryRun=All`);
  await s.delete(`${CONFIG_MAPS}/a`, { dryRun: ['All'] });
  await s.delete(`${CONFIG_MAPS}?dryRun=All`);
  await s.get(CONFIG_MAPS);
  await given(s, DEPLOYMENTS, deployment('d'));
  await s.merge(`${DEPLOYMENTS}/d/scale?dryRun=All`, { spec: { replicas: 7 } });
  await s.merge(`${DEPLOYMENTS}/d/status?dryRun=All`, { status: { replicas: 7 } });
  await s.get(`${DEPLOYMENTS}/d`);
  await s.put('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l?dryRun=All', {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'l' },
  });
  await s.get('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases');
});

it('a get may ask for a state not older than a version', async (s) => {
  const version = versionOf(await s.post(CONFIG_MAPS, configMap('a')));
  const read = await s.quiet('GET', `${CONFIG_MAPS}/a?resourceVersion=${version}`);
  s.remark('not older', read.body);
  await s.get(`${CONFIG_MAPS}/a?resourceVersion=0`);
  await s.get(`${CONFIG_MAPS}/a?resourceVersion=abc`);
  await s.get(`${CONFIG_MAPS}/none?resourceVersion=0`);
});

it(
  'a version of the future times out',
  async (s) => {
    await given(s, CONFIG_MAPS, configMap('a'));
    const far = 'resourceVersion=999999999';
    const targets = [
      `${CONFIG_MAPS}/a?${far}`,
      `${CONFIG_MAPS}?${far}`,
      `${CONFIG_MAPS}?${far}&resourceVersionMatch=NotOlderThan`,
      `${CONFIG_MAPS}?${far}&resourceVersionMatch=Exact`,
    ];
    const answers = await Promise.all(targets.map((target) => s.quiet('GET', target)));
    for (const [at, { status, body, headers }] of answers.entries())
      s.remark(targets[at] ?? '', { status, retryAfter: headers['retry-after'] ?? 'none', body });
  },
  { slow: true },
);
