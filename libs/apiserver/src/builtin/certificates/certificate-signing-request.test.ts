import { expect, it } from 'vitest';
import { certificateSigningRequestStrategy } from './certificate-signing-request.js';

it('a certificate signing request records the user of the request, whatever the body claims', () => {
  const request = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'a' },
    spec: { request: 'x', username: 'system:admin', uid: '7', groups: ['system:masters'], extra: { a: ['b'] } },
  };
  const user = { username: 'bob', groups: ['system:authenticated'] };
  certificateSigningRequestStrategy.prepareForCreate?.(request, { now: '', user });
  expect(request.spec).toEqual({ request: 'x', username: 'bob', groups: ['system:authenticated'] });
});
