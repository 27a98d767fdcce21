import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Converter, FIRST, SECOND, givenHost, givenHosts } from '../src/conformance/converter.js';
import { custom, dismiss } from '../src/conformance/crds.js';
import { CONFIG_MAPS, configMap } from '../src/conformance/objects.js';
import type { Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { withHooks } from '../src/conformance/webhooks.js';
import { ALLOWED, type HookReply } from '../src/hook-server.js';

const it = suite('hostile-webhooks');
const SECRETS = '/api/v1/namespaces/{ns}/secrets';
const secret = (name: string): object => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
const DEPTH = 12;

let converter: Converter;
beforeAll(async () => {
  converter = await Converter.start();
});
afterAll(() => converter.stop());
beforeEach(() => converter.honest());

/** A moment that others wait for. */
function signal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => {};
  const promise = new Promise<void>((resolve) => (give = resolve));
  return { given: promise, give: () => give() };
}

async function givenOneHost(s: Session): Promise<void> {
  await givenHosts(s, converter.client);
  await givenHost(s, FIRST, custom('Host', 'a', { spec: { address: 'x:1' } }));
}

for (const type of ['Validating', 'Mutating'] as const)
  it(
    `a loop of ${type.toLowerCase()} webhooks ends by the time limit, and blocks nobody`,
    async (s) => {
      let depth = 0;
      const deep = signal();
      // Whatever is created makes the webhook create another before it answers.
      const handle = async (): Promise<HookReply> => {
        depth += 1;
        if (depth >= DEPTH) {
          deep.give();
          return 'silence';
        }
        await s.quiet('POST', CONFIG_MAPS, { body: configMap(`inner-${depth}`) });
        return ALLOWED;
      };
      await withHooks(s, type, [{ name: 'a', handle, fields: { timeoutSeconds: 2 } }], async () => {
        const outer = s.quiet('POST', CONFIG_MAPS, { body: configMap('outer') });
        await deep.given;
        await s.post(SECRETS, secret('meanwhile'));
        const { body, status } = await outer;
        s.remark('outer', { status, message: (body as { message: string }).message });
        s.remark('depth', depth);
      });
      await s.get(CONFIG_MAPS);
      await s.post(CONFIG_MAPS, configMap('afterwards'));
    },
    { slow: true },
  );

it('a slow conversion webhook delays its own requests, and no others', async (s) => {
  await givenOneHost(s);
  const [asked, free] = [signal(), signal()];
  converter.raw = (response) => {
    asked.give();
    void free.given.then(() => response.writeHead(500).end('late'));
  };
  const slow = s.quiet('GET', `${SECOND}/a`);
  await asked.given;
  await s.get(`${FIRST}/a`);
  await s.merge(`${FIRST}/a`, { spec: { address: 'y:2' } });
  await s.post(SECRETS, secret('meanwhile'));
  await s.get('/api/v1/namespaces/{ns}/secrets/meanwhile');
  free.give();
  const { body, status } = await slow;
  s.remark('slow', { status, message: (body as { message: string }).message });
  converter.honest();
  await s.get(`${SECOND}/a`);
  await dismiss(s, 'hosts');
});

it('a conversion webhook may ask for what it converts, which asks it again', async (s) => {
  await givenOneHost(s);
  let depth = 0;
  const statuses: number[] = [];
  converter.pause = async () => {
    depth += 1;
    if (depth < DEPTH) statuses.push((await s.quiet('GET', `${SECOND}/a`)).status);
  };
  await s.get(`${SECOND}/a`);
  s.remark('inner answers', statuses);
  converter.honest();
  await dismiss(s, 'hosts');
});

it('a conversion webhook that is down breaks what needs it, and nothing else', async (s) => {
  const gone = await Converter.start();
  await givenHosts(s, gone.client);
  await givenHost(s, FIRST, custom('Host', 'a', { spec: { address: 'x:1' } }));
  await s.get(`${SECOND}/a`);
  await gone.stop();
  // Lists of a real server may come from a cache that has them converted.
  for (const [method, target] of [
    ['GET', `${SECOND}/a`],
    ['DELETE', `${SECOND}/a`],
  ] as const) {
    const { body, status } = await s.quiet(method, target);
    s.remark(`${method} ${target}`, { status, message: (body as { message: string }).message });
  }
  await s.get(`${FIRST}/a`);
  await s.post(SECRETS, secret('meanwhile'));
  await s.delete(`${FIRST}/a`);
  await dismiss(s, 'hosts');
});
