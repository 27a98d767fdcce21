import { X509Certificate } from 'node:crypto';
import { renewCertificates } from '@capstan/hypershift/testing';
import { BUNDLE_SPREADS_MS, createCa, silentLogger } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFINITIONS } from '../crds/lists.js';
import { TIMEOUT_MS } from '../testing-server.js';
import { installPlace } from './testing-place.js';
import type { InstallPlace } from './testing-place.js';

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

const DAY_MS = 86_400_000;
const AT = { namespace: 'hypershift' };
const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const CONFIGURATIONS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};
const SHIM = { service: 'capi-conversion-webhook-shim', secret: 'capi-conversion-webhook-shim-serving-cert' };
const OPERATOR = { service: 'operator', secret: 'operator-serving-cert' };

interface Secret extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

let place: InstallPlace;

beforeAll(async () => {
  place = await installPlace();
  expect((await place.install('--private-capi-types')).code).toBe(0);
});

afterAll(() => place.close());

const read = (name: string): Promise<Secret> => place.client.get<Secret>(SECRETS, name, AT);
const text = (encoded = ''): string => Buffer.from(encoded, 'base64').toString('utf8');
const base64 = (plain: string): string => Buffer.from(plain).toString('base64');

/** As an earlier version has left it: nobody has the key of the CA any more. */
async function makeOld({ secret, service }: typeof SHIM, ageMs: number): Promise<void> {
  const now = Date.now() - ageMs;
  const ca = createCa({ commonName: `${service}-ca`, now });
  const host = `${service}.hypershift.svc`;
  const pair = ca.issueServing({ commonName: host, dnsNames: [host], now });
  await place.client.delete(SECRETS, `${secret}-ca`, AT);
  const data = { 'tls.crt': base64(pair.certPem), 'tls.key': base64(pair.keyPem), 'ca.crt': base64(ca.certPem) };
  await place.client.patch(SECRETS, secret, { type: 'merge', value: { data } }, AT);
}

/** By whom CRDs and webhooks trust a server. */
async function bundleOf(of: 'crd' | 'webhook'): Promise<string> {
  if (of === 'crd') {
    const { spec } = await place.client.get(DEFINITIONS, 'machines.cluster.hypershift.openshift.io');
    return (spec as { conversion: { webhook: { clientConfig: { caBundle: string } } } }).conversion.webhook.clientConfig
      .caBundle;
  }
  const { webhooks } = await place.client.get(CONFIGURATIONS, 'nodepools.hypershift.openshift.io');
  return (webhooks as readonly { clientConfig: { caBundle: string } }[])[0]?.clientConfig.caBundle ?? '';
}

function isIssuedBy({ data }: Secret, bundle: string): boolean {
  const leaf = new X509Certificate(text(data['tls.crt']));
  const cas = text(bundle)
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .filter((pem) => pem.trim() !== '');
  return cas.some((pem) => leaf.verify(new X509Certificate(pem).publicKey));
}

/** What the operator does when it looks at that time. */
async function look(clock: ManualClock): Promise<void> {
  const { client } = place;
  const options = { client, clock, logger: silentLogger(), namespace: AT.namespace, shim: SHIM };
  await renewCertificates(options, new AbortController().signal);
}

describe('certificates of an own CA', () => {
  it('keep the key of their CA, and are kept by an installation without the option', async () => {
    const before = await read(SHIM.secret);
    expect((await read(`${SHIM.secret}-ca`)).data).toHaveProperty(['tls.key']);
    expect((await place.run('install', '--private-capi-types', '--no-wait')).code).toBe(0);
    expect(await read(SHIM.secret)).toEqual(before);
    expect([await bundleOf('crd'), await bundleOf('webhook')]).toEqual([
      before.data['ca.crt'],
      (await read(OPERATOR.secret)).data['ca.crt'],
    ]);
  });

  it('of an earlier version get a CA that is trusted in CRDs and webhooks before it issues', async () => {
    for (const each of [SHIM, OPERATOR]) await makeOld(each, 300 * DAY_MS);
    const [oldShim, oldOperator] = [await read(SHIM.secret), await read(OPERATOR.secret)];
    const { code, out } = await place.install('--private-capi-types');
    expect([code, out]).toEqual([0, expect.stringContaining(`secret/${SHIM.secret} renewed\n`) as string]);
    for (const [old, of] of [
      [oldShim, 'crd'],
      [oldOperator, 'webhook'],
    ] as const) {
      const now = await read(old.metadata.name ?? '');
      expect(now.data['tls.crt']).toBe(old.data['tls.crt']);
      expect(await bundleOf(of)).toBe(now.data['ca.crt']);
      expect(isIssuedBy(old, now.data['ca.crt'] ?? '')).toBe(true);
    }
    const clock = new ManualClock(Date.now() + BUNDLE_SPREADS_MS + 60_000);
    const bundles = [await bundleOf('crd'), await bundleOf('webhook')] as const;
    await look(clock);
    for (const [at, old] of [oldShim, oldOperator].entries()) {
      const now = await read(old.metadata.name ?? '');
      expect(now.data['tls.crt']).not.toBe(old.data['tls.crt']);
      // By what was trusted before it was issued.
      expect(isIssuedBy(now, bundles[at] ?? '')).toBe(true);
    }
  });

  it('are renewed by the operator in time, and what trusts them need not change', async () => {
    const before = await read(SHIM.secret);
    const bundle = await bundleOf('webhook');
    await look(new ManualClock(Date.now() + 200 * DAY_MS));
    expect((await read(SHIM.secret)).data).toEqual(before.data);
    await look(new ManualClock(Date.now() + 300 * DAY_MS));
    const after = await read(SHIM.secret);
    expect(after.data['tls.crt']).not.toBe(before.data['tls.crt']);
    expect([after.data['ca.crt'], await bundleOf('webhook')]).toEqual([before.data['ca.crt'], bundle]);
  });

  it('end in a webhook configuration with the CA that follows theirs', async () => {
    const before = await bundleOf('webhook');
    await look(new ManualClock(Date.now() + 9.5 * 365 * DAY_MS));
    const { data } = await read(OPERATOR.secret);
    // The one of the earlier version has ended.
    expect(text(data['ca.crt']).match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(data['ca.crt']).not.toBe(before);
    expect(await bundleOf('webhook')).toBe(data['ca.crt']);
  });
});
