import { createCertificateRequest } from '@capstan/kube';
import type { CertificateRequestOptions } from '@capstan/kube';
import { CLIENT_SIGNER, NODE_BOOTSTRAPPER, SERVING_SIGNER } from '@capstan/upstream';
import type { SigningRequest } from '@capstan/upstream';
import { describe, expect, it } from 'vitest';
import { recognizersOf } from './csr-approving.js';
import { decideSigning, validityMs } from './signer.js';

const NODE = { commonName: 'system:node:a', organizations: ['system:nodes'] };

function request(
  spec: Partial<SigningRequest['spec']> = {},
  conditions: readonly string[] = [],
  asked: Partial<CertificateRequestOptions> = {},
): SigningRequest {
  const { requestPem } = createCertificateRequest({ ...NODE, ...asked });
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'r' },
    spec: {
      request: Buffer.from(requestPem).toString('base64'),
      signerName: CLIENT_SIGNER,
      usages: ['digital signature', 'client auth'],
      username: 'system:node:a',
      groups: ['system:nodes', 'system:authenticated'],
      ...spec,
    },
    status: { conditions: conditions.map((type) => ({ type, status: 'True' })) },
  };
}

describe('a signer', () => {
  it.each<[string, SigningRequest, string]>([
    ['was approved', request({}, ['Approved']), 'sign'],
    ['waits', request(), 'nothing'],
    ['was denied', request({}, ['Denied']), 'nothing'],
    ['was approved and denied', request({}, ['Approved', 'Denied']), 'nothing'],
    ['has failed', request({}, ['Approved', 'Failed']), 'nothing'],
    ['is for another signer', request({ signerName: 'example.com/x' }, ['Approved']), 'nothing'],
    ['is for a signer of old', request({ signerName: 'kubernetes.io/legacy-unknown' }, ['Approved']), 'nothing'],
    ['is for what every object has', request({ signerName: 'constructor' }, ['Approved']), 'nothing'],
    ['cannot be read', request({ request: 'AAAA' }, ['Approved']), 'fail'],
  ])('knows what to do about what %s', (_, given, wanted) => {
    expect(decideSigning(given).do).toBe(wanted);
  });

  it('gives a certificate for as long as asked, within its limits', () => {
    const longest = 3_600_000;
    const asked = [undefined, -1, 0, 599, 600, 1_200, 3_600, 3_601, 2 ** 31 - 1];
    const given = asked.map((expirationSeconds) =>
      validityMs(request(expirationSeconds === undefined ? {} : { expirationSeconds }), longest),
    );
    const [least, most] = [600_000, longest];
    expect(given).toEqual([most, least, least, least, least, 1_200_000, most, most, most]);
  });
});

describe('csrapproving', () => {
  it.each<[string, SigningRequest, readonly string[]]>([
    ['of a node for itself', request(), ['selfnodeclient', 'nodeclient']],
    ['of who bootstraps nodes', request({ username: NODE_BOOTSTRAPPER.username }), ['nodeclient']],
    ['of another node', request({ username: 'system:node:b' }), ['nodeclient']],
    ['to serve', request({ signerName: SERVING_SIGNER }), []],
    ['that is decided', request({}, ['Approved']), []],
    ['that was denied', request({}, ['Denied']), []],
    ['for masters', request({}, [], { organizations: ['system:masters'] }), []],
    ['for no node', request({ username: 'admin' }, [], { commonName: 'admin' }), []],
    ['with names', request({}, [], { dnsNames: ['a'] }), []],
    ['with other usages', request({ usages: ['client auth'] }), []],
    ['that cannot be read', request({ request: 'AAAA' }), []],
  ])('asks about a request %s whether its user may have it', (_, given, subresources) => {
    expect(recognizersOf(given).map(({ subresource }) => subresource)).toEqual(subresources);
  });
});
