import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Converter, FIRST, SECOND, givenHost, givenHosts } from '../src/conformance/converter.js';
import { GROUP, custom, dismiss } from '../src/conformance/crds.js';
import type { Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { noting, withHooks, type Hook } from '../src/conformance/webhooks.js';
import { ALLOWED, patch } from '../src/hook-server.js';

const it = suite('conversion-admission');
const second = (name: string, spec: object): Record<string, unknown> => custom('Host', name, { spec }, 'v2');

let converter: Converter;
beforeAll(async () => {
  converter = await Converter.start();
});
afterAll(() => converter.stop());
beforeEach(() => converter.honest());

/** A hook that speaks the first version alone. */
function hook(s: Session, fields: Pick<Hook, 'name' | 'handle'>, matchPolicy = 'Equivalent'): Hook {
  const rule = {
    apiGroups: [GROUP.replace('{ns}', s.ns)],
    apiVersions: ['v1'],
    resources: ['hosts'],
    operations: ['CREATE', 'UPDATE', 'DELETE'],
  };
  return { ...fields, fields: { rules: [rule], matchPolicy } };
}

it('a validating webhook is shown the version it asks for', async (s) => {
  await givenHosts(s, converter.client);
  const hooks = [hook(s, { name: 'equal', handle: noting(s, 'asked') })];
  hooks.push(hook(s, { name: 'exact', handle: noting(s, 'asked exactly') }, 'Exact'));
  await withHooks(s, 'Validating', hooks, async () => {
    await s.post(SECOND, second('a', { host: 'x', port: '1' }));
    await s.merge(`${SECOND}/a`, { spec: { port: '2' } });
    await s.delete(`${SECOND}/a`);
  });
  await dismiss(s, 'hosts');
});

it('a mutating webhook changes the version it asks for', async (s) => {
  await givenHosts(s, converter.client);
  const moved = patch({ op: 'replace', path: '/spec/address', value: 'moved:9' });
  await withHooks(s, 'Mutating', [hook(s, { name: 'move', handle: () => moved })], async () => {
    await s.post(SECOND, second('a', { host: 'x', port: '1' }));
    await s.get(`${FIRST}/a`);
    await s.apply(`${SECOND}/b`, 'm', second('b', { host: 'x', port: '1' }));
  });
  await dismiss(s, 'hosts');
});

it('what cannot be converted for a webhook is refused', async (s) => {
  await givenHosts(s, converter.client);
  await givenHost(s, FIRST, custom('Host', 'a', { spec: { address: 'x:1' } }));
  await withHooks(s, 'Validating', [hook(s, { name: 'equal', handle: () => ALLOWED })], async () => {
    converter.refuse('out of order');
    await s.post(SECOND, second('b', { host: 'x', port: '1' }));
    await s.merge(`${FIRST}/a`, { spec: { address: 'y:1' } });
  });
  await dismiss(s, 'hosts');
});
