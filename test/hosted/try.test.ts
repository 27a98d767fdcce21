import { hostingPlatforms } from '../../apps/cli/src/platforms.js';
import { it } from 'vitest';
import { clusterObjects, HOME, poolObject } from './objects.js';
import { hostedWorld } from './stage.js';

const HC = { group: 'hypershift.openshift.io', version: 'v1beta1', plural: 'hostedclusters', namespaced: true };
const NP = { ...HC, plural: 'nodepools' };
const M = { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines', namespaced: true };
it('all', async () => {
  const platforms = await hostingPlatforms();
  const errors = new Map<string, number>();
  const say =
    (who: string) =>
    (m: string, f: any = {}) => {
      const k = `${who.replace(/_[0-9a-f]+$/, '')}: ${m} ${f.controller ?? ''} ${f.name ?? ''} ${String(f.error ?? JSON.stringify(f)).slice(0, 260)}`;
      errors.set(k, (errors.get(k) ?? 0) + 1);
    };
  const hosted = await hostedWorld(platforms, {
    logger: (who) => ({ debug: () => {}, info: () => {}, warn: say(who), error: say(who) }),
  });
  const [image = ''] = hosted.images;
  const t0 = Date.now();
  for (const p of [...platforms].filter((x) => !process.env['P'] || process.env['P'].split(',').includes(x.key))) {
    try {
      await hosted.apply([
        ...clusterObjects(p, p.key, image),
        poolObject(p, { name: `${p.key}-workers`, cluster: p.key, image }),
      ]);
    } catch (e) {
      console.log('REFUSED', p.key, String(e).slice(0, 400));
    }
  }
  for (let m = 1; m <= 18; m += 1) {
    const a = Date.now();
    await hosted.world.runUntil(m * 10_000);
    if (Date.now() - a > 1000) console.log('at', m * 10, Date.now() - a, (hosted.world.log as any).events.length);
  }
  console.log('took', Date.now() - t0);
  const { items } = await hosted.client.list<any>(HC, { namespace: HOME });
  for (const hc of items)
    console.log(
      hc.metadata.name,
      (hc.status?.conditions ?? [])
        .filter(
          (c: any) =>
            c.type === 'Available' ||
            ((c.type.startsWith('Valid') || c.type.startsWith('Supp') || c.type === 'PlatformCredentialsFound') &&
              c.status !== 'True'),
        )
        .map((c: any) => `${c.type}=${c.status} ${c.reason} ${c.message}`.slice(0, 300))
        .join(' | '),
    );
  const nps = await hosted.client.list<any>(NP, { namespace: HOME });
  for (const hc of nps.items)
    console.log(
      hc.metadata.name,
      (hc.status?.conditions ?? [])
        .filter((c: any) => c.status !== 'True')
        .map((c: any) => `${c.type}=${c.status} ${c.reason} ${c.message}`.slice(0, 160))
        .join(' | '),
    );
  const ms = await hosted.client.list<any>(M);
  for (const hc of ms.items) console.log(hc.metadata.name, hc.status?.phase);
  for (const [k, n] of [...errors].sort((a, b) => b[1] - a[1]).slice(0, 25)) console.log(n, k);
}, 300_000);
