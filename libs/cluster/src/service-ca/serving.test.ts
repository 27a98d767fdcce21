import { createAuthority, systemRandom } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { inject } from './inject.js';
import { isGood, makeSecret, refusal, servingNames } from './serving.js';
import type { Secret, Service } from './serving.js';
import { readAuthority } from './signing-key.js';

const NOW = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;
const random = systemRandom(1);
const authority = createAuthority({ commonName: 'ca', now: NOW, random });

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
  const secret = makeSecret(service(), undefined, { authority, nowMs: NOW, random });
  const changed = (data: Record<string, string>): Secret => ({ ...secret, data: { ...secret.data, ...data } });
  const other = createAuthority({ commonName: 'ca', now: NOW, random });

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
    ['are good when fresh', secret, service(), authority, NOW, true],
    ['are good a day before their end', secret, service(), authority, NOW + 729 * DAY_MS, true],
    ['are renewed in their last hour', secret, service(), authority, NOW + 730 * DAY_MS - 1, false],
    ['are renewed by another authority of the same name', secret, service(), other, NOW, false],
    ['are renewed when the service has other names', secret, service('web', 'None'), authority, NOW, false],
    ['are renewed when the certificate is broken', changed({ 'tls.crt': 'eA==' }), service(), authority, NOW, false],
    ['are renewed when the key is missing', changed({ 'tls.key': '' }), service(), authority, NOW, false],
  ])('%s', (...[, found, of, by, now, wanted]) => {
    expect(isGood(found, of, by, now)).toBe(wanted);
  });

  it('keep what others put there, and are refused to another service', () => {
    const again = makeSecret(service(), changed({ more: 'eA==' }), { authority, nowMs: NOW, random });
    expect([again.data?.['more'], again.metadata.ownerReferences?.length]).toEqual(['eA==', 1]);
    expect(refusal(secret, service())).toBeUndefined();
    expect(refusal(secret, service('late'))).toBe(
      'secret n/tls does not have corresponding service UID uid-late, has "uid-web"',
    );
  });

  it('come from an authority that is read back while it lasts', () => {
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    const data = { 'tls.crt': encoded(authority.certPem), 'tls.key': encoded(authority.keyPem) };
    const kept: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: {}, data };
    expect(readAuthority(kept, NOW)?.certPem).toBe(authority.certPem);
    expect(readAuthority(kept, NOW + 3640 * DAY_MS)).toBeUndefined();
    expect(readAuthority({ ...kept, data: {} }, NOW)).toBeUndefined();
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
