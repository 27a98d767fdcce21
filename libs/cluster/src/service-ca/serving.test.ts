import { createCa, systemRandom } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { inject } from './inject.js';
import { isGood, makeSecret, refusal, servingNames } from './serving.js';
import type { Secret, Service } from './serving.js';
import { readCa } from './signing-key.js';

const NOW = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;
const random = systemRandom(1);
const ca = createCa({ commonName: 'ca', now: NOW, random });

function service(name = 'web', clusterIP = '10.0.0.1'): Service {
  const annotations = { 'service.beta.openshift.io/serving-cert-secret-name': 'tls' };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'n', uid: `uid-${name}`, annotations },
    spec: { clusterIP },
  };
}

describe('serving secrets', () => {
  const secret = makeSecret(service(), undefined, { ca, nowMs: NOW, random });
  const changed = (data: Record<string, string>): Secret => ({ ...secret, data: { ...secret.data, ...data } });
  const other = createCa({ commonName: 'ca', now: NOW, random });

  it('name the service, and the pods of one without an address', () => {
    expect(servingNames(service())).toEqual(['web.n.svc', 'web.n.svc.cluster.local']);
    expect(servingNames(service('db', 'None'))).toEqual([
      'db.n.svc',
      'db.n.svc.cluster.local',
      '*.db.n.svc',
      '*.db.n.svc.cluster.local',
    ]);
  });

  it.each([
    ['are good when fresh', secret, service(), ca, NOW, true],
    ['are good a day before their end', secret, service(), ca, NOW + 729 * DAY_MS, true],
    ['are renewed in their last hour', secret, service(), ca, NOW + 730 * DAY_MS - 1, false],
    ['are renewed by another CA of the same name', secret, service(), other, NOW, false],
    ['are renewed when the service has other names', secret, service('web', 'None'), ca, NOW, false],
    ['are renewed when the certificate is broken', changed({ 'tls.crt': 'eA==' }), service(), ca, NOW, false],
    ['are renewed when the key is missing', changed({ 'tls.key': '' }), service(), ca, NOW, false],
  ])('%s', (...[, found, of, by, now, wanted]) => {
    expect(isGood(found, of, by, now)).toBe(wanted);
  });

  it('keep what others put there, and are refused to another service', () => {
    const again = makeSecret(service(), changed({ more: 'eA==' }), { ca, nowMs: NOW, random });
    expect([again.data?.['more'], again.metadata.ownerReferences?.length]).toEqual(['eA==', 1]);
    expect(refusal(secret, service())).toBeUndefined();
    expect(refusal(secret, service('late'))).toBe(
      'secret n/tls does not have corresponding service UID uid-late, has "uid-web"',
    );
  });

  it('come from a CA that is read back while it lasts', () => {
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    const data = { 'tls.crt': encoded(ca.certPem), 'tls.key': encoded(ca.keyPem) };
    const kept: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: {}, data };
    expect(readCa(kept, NOW)?.certPem).toBe(ca.certPem);
    expect(readCa(kept, NOW + 3640 * DAY_MS)).toBeUndefined();
    expect(readCa({ ...kept, data: {} }, NOW)).toBeUndefined();
  });
});

describe('the bundle', () => {
  const annotations = { 'service.beta.openshift.io/inject-cabundle': 'true' };
  const metadata = { name: 'x', annotations };
  const hook = { clientConfig: { url: 'u', caBundle: 'UEVN' } };
  const definition = (strategy: string, webhook?: object) => ({ spec: { conversion: { strategy, webhook } } });
  it.each([
    ['configmaps', { data: { a: 'b' } }, { data: { 'service-ca.crt': 'PEM' } }],
    ['configmaps', { data: { 'service-ca.crt': 'PEM' } }, undefined],
    ['apiservices', { spec: { group: 'g' } }, { spec: { group: 'g', caBundle: 'UEVN' } }],
    ['mutatingwebhookconfigurations', { webhooks: [{ clientConfig: { url: 'u' } }] }, { webhooks: [hook] }],
    ['validatingwebhookconfigurations', { webhooks: [hook] }, undefined],
    ['validatingwebhookconfigurations', {}, undefined],
    ['customresourcedefinitions', definition('None'), undefined],
    [
      'customresourcedefinitions',
      definition('Webhook', { clientConfig: {} }),
      definition('Webhook', { clientConfig: { caBundle: 'UEVN' } }),
    ],
  ])('goes into %s %j', (plural, content, wanted) => {
    const object = { apiVersion: 'v1', kind: 'K', metadata };
    expect(inject(plural, { ...object, ...content }, 'PEM')).toEqual(wanted && { ...object, ...wanted });
    expect(inject(plural, { ...object, metadata: { name: 'x' }, ...content }, 'PEM')).toBeUndefined();
  });
});
