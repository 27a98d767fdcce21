import { createAllObjects } from './help.js';
import { expect, it } from 'vitest';
import { clusterObjects, poolObject } from './objects.js';
import { hostedWorld } from './stage.js';

it('comes up', async () => {
  const say =
    (who: string, level: string) =>
    (m: string, f: object = {}) =>
      console.log(level, who, m, JSON.stringify(f).slice(0, 700));
  const hosted = await hostedWorld({
    logger: (who) => ({
      debug: () => {},
      info: () => {},
      warn: say(who, 'W'),
      error: process.env['LOUD'] ? say(who, 'E') : () => {},
    }),
  });
  const [image = ''] = hosted.images;
  const { client, world } = hosted;
  await createAllObjects(client, [...clusterObjects('one', image), poolObject('workers', 'one', image)]);
  for (let minute = 1; minute <= 10; minute += 1) await world.runUntil(minute * 60_000);
  const hc = await client.get(
    { group: 'hypershift.openshift.io', version: 'v1beta1', plural: 'hostedclusters', namespaced: true },
    'one',
    { namespace: 'clusters' },
  );
  console.log(JSON.stringify(hc.status, null, 1));
  const np = await client.get(
    { group: 'hypershift.openshift.io', version: 'v1beta1', plural: 'nodepools', namespaced: true },
    'workers',
    { namespace: 'clusters' },
  );
  console.log(JSON.stringify(np.status, null, 1));
  const hcp = await client.list({
    group: 'hypershift.openshift.io',
    version: 'v1beta1',
    plural: 'hostedcontrolplanes',
    namespaced: true,
  });
  console.log(JSON.stringify(hcp.items[0]?.status, null, 1));
  const cpc = await client.list({
    group: 'hypershift.openshift.io',
    version: 'v1beta1',
    plural: 'controlplanecomponents',
    namespaced: true,
  });
  console.log(
    cpc.items
      .map(
        (c) =>
          c.metadata.name +
          ' ' +
          (c as any).status?.conditions
            ?.map((x: any) => x.type + '=' + x.status + ':' + x.reason + ':' + x.message)
            .join('; '),
      )
      .join('\n'),
  );
  const m = await client.list({ group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines', namespaced: true });
  console.log(m.items.map((c) => c.metadata.name + ' ' + JSON.stringify((c as any).status?.phase)).join('\n'));
  const ev = await client.list({ group: '', version: 'v1', plural: 'events', namespaced: true });
  console.log(
    ev.items
      .slice(-40)
      .map((e: any) => `${e.involvedObject.kind}/${e.involvedObject.name} ${e.reason} ${e.message}`)
      .join('\n'),
  );
  const lines = (world.log as any).events
    .filter((e: any) => process.env['WHO'] && String(e.process ?? '').includes(process.env['WHO']))
    .slice(-Number(process.env['N'] ?? 60));
  console.log(lines.map((e: any) => JSON.stringify(e).slice(0, 300)).join('\n'));
  expect(1).toBe(1);
}, 120_000);
