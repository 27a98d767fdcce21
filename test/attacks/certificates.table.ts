import type { CertificateRequestOptions } from '@capstan/kube';

export const CLIENT = 'kubernetes.io/kube-apiserver-client';
export const KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';
export const SERVING = 'kubernetes.io/kubelet-serving';
export const MASTERS = 'system:masters';

/** A request for a certificate, as a client sends it. */
export interface Attempt {
  readonly signerName: string;
  readonly asked: CertificateRequestOptions;
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
  /** Whom the administrator stands in for; absent: the attacker asks. */
  readonly as?: string;
}

const VICTIM = { commonName: 'system:node:victim', organizations: ['system:nodes'] };
const CLIENT_USAGES = ['digital signature', 'client auth'];
const SERVING_USAGES = ['digital signature', 'server auth'];
export const kubelet = (asked: Partial<CertificateRequestOptions>, usages = CLIENT_USAGES): Attempt => ({
  signerName: KUBELET,
  asked: { ...VICTIM, ...asked },
  usages,
});
export const serving = (asked: Partial<CertificateRequestOptions>, usages = SERVING_USAGES): Attempt => ({
  signerName: SERVING,
  asked: { ...VICTIM, dnsNames: ['victim'], ...asked },
  usages,
  as: 'system:node:victim',
});
export const client = (organizations: string[], usages = CLIENT_USAGES): Attempt => ({
  signerName: CLIENT,
  asked: { commonName: 'bob', organizations },
  usages,
});

/** Requests that must not be signed although an account that may approve for every signer approved them; and the reason reported. */
export const ATTEMPTS: readonly (readonly [string, Attempt, string])[] = [
  ['kubelet: system:masters', kubelet({ organizations: [MASTERS] }), 'subject organization is not system:nodes'],
  [
    'kubelet: one more group',
    kubelet({ organizations: ['system:nodes', MASTERS] }),
    'subject organization is not system:nodes',
  ],
  ['kubelet: no group', kubelet({ organizations: [] }), 'subject organization is not system:nodes'],
  ['kubelet: no node', kubelet({ commonName: 'admin' }), 'subject common name does not begin with system:node:'],
  [
    'kubelet: a node without a name',
    kubelet({ commonName: 'system:node:' }),
    'subject common name does not begin with system:node:',
  ],
  ['kubelet: a host', kubelet({ dnsNames: ['kubernetes.default'] }), 'DNS subjectAltNames are not allowed'],
  ['kubelet: a mail address', kubelet({ emailAddresses: ['a@b.c'] }), 'Email subjectAltNames are not allowed'],
  ['kubelet: an address', kubelet({ ipAddresses: ['10.0.0.1'] }), 'IP subjectAltNames are not allowed'],
  ['kubelet: a URI', kubelet({ uris: ['spiffe://a/b'] }), 'URI subjectAltNames are not allowed'],
  [
    'kubelet: to serve',
    kubelet({}, SERVING_USAGES),
    'usages did not match [client auth digital signature key encipherment]',
  ],
  [
    'kubelet: to sign',
    kubelet({}, [...CLIENT_USAGES, 'cert sign']),
    'usages did not match [client auth digital signature key encipherment]',
  ],
  [
    'kubelet: another node asks',
    { ...kubelet({}), as: 'system:node:other' },
    'subject common name "system:node:victim" is not the node that asks, which is "system:node:other"',
  ],
  ['serving: system:masters', serving({ organizations: [MASTERS] }), 'subject organization is not system:nodes'],
  [
    'serving: no node',
    serving({ commonName: 'kube-apiserver' }),
    'subject common name does not begin with system:node:',
  ],
  ['serving: no host', serving({ dnsNames: [] }), 'DNS or IP subjectAltName is required'],
  ['serving: a mail address', serving({ emailAddresses: ['a@b.c'] }), 'Email subjectAltNames are not allowed'],
  ['serving: a URI', serving({ uris: ['spiffe://a/b'] }), 'URI subjectAltNames are not allowed'],
  [
    'serving: a client',
    serving({}, CLIENT_USAGES),
    'usages did not match [digital signature key encipherment server auth]',
  ],
  [
    'serving: both',
    serving({}, [...SERVING_USAGES, 'client auth']),
    'usages did not match [digital signature key encipherment server auth]',
  ],
  [
    'serving: another node asks',
    { ...serving({}), as: 'system:node:other' },
    'subject common name "system:node:victim" is not the node that asks, which is "system:node:other"',
  ],
  ['client: system:masters', client([MASTERS]), `use of ${CLIENT} signer with system:masters group is not allowed`],
  [
    'client: one more group',
    client(['a', MASTERS]),
    `use of ${CLIENT} signer with system:masters group is not allowed`,
  ],
  ['client: to serve', client([], SERVING_USAGES), 'invalid usage for client certificate: server auth'],
  [
    'client: for nothing',
    client([], ['digital signature']),
    'missing required usage for client certificate: client auth',
  ],
  [
    'nobody: legacy',
    { ...client([]), signerName: 'kubernetes.io/legacy-unknown' },
    'the legacy signerName is not allowed via this API version',
  ],
  ['nobody: unknown', { ...client([]), signerName: 'kubernetes.io/kube-apiserver-client-admin' }, ''],
];
