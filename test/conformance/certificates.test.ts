import { createCa, createCertificateRequest, systemRandom } from '@capstan/kube';
import type { CertificateRequestOptions } from '@capstan/kube';
import { given } from '../src/conformance/objects.js';
import { MERGE, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { untilStatus } from '../src/wait.js';

const it = suite('certificates');
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts';
const KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const CLIENT = 'kubernetes.io/kube-apiserver-client';
const AT = '2026-01-01T00:00:00Z';

/** The same bytes in every run: Ed25519 keys from a seed. */
function pem(asked: Partial<CertificateRequestOptions> = {}): string {
  return createCertificateRequest({
    commonName: 'system:node:a',
    organizations: ['system:nodes'],
    ...asked,
    keyFrom: systemRandom('certificates'),
  }).requestPem;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function request(name: string, spec: object = {}): Record<string, unknown> {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: base64(pem()),
      signerName: KUBELET_CLIENT,
      usages: ['digital signature', 'client auth'],
      ...spec,
    },
  };
}

const condition = (type: string, more: object = {}): object => ({
  type,
  status: 'True',
  reason: 'Test',
  message: 'm',
  lastUpdateTime: AT,
  lastTransitionTime: AT,
  ...more,
});
const approved = { status: { conditions: [condition('Approved')] } };

/** An account that may update approval and status of requests, and do to signers what the rules say. */
async function decider(s: Session, rules: readonly object[]): Promise<Session> {
  const name = `certificates-${s.ns}`;
  const subresources = ['certificatesigningrequests/approval', 'certificatesigningrequests/status'];
  const all = [
    { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['get', 'create'] },
    { apiGroups: ['certificates.k8s.io'], resources: subresources, verbs: ['update', 'patch'] },
    ...rules,
  ];
  await given(s, ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'decider' } });
  await given(s, `${RBAC}/clusterroles`, { metadata: { name }, rules: all });
  await given(s, `${RBAC}/clusterrolebindings`, {
    metadata: { name },
    subjects: [{ kind: 'ServiceAccount', name: 'decider', namespace: s.ns }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  });
  const made = await s.quiet('POST', `${ACCOUNTS}/decider/token`, { body: { spec: {} } });
  const session = s.as((made.object()['status'] as { token: string }).token);
  // A real server sees roles a moment after they are written.
  await untilStatus(404, () => session.quiet('GET', `${REQUESTS}/none`));
  return session;
}

const signers = (verb: string, ...resourceNames: string[]): object => ({
  apiGroups: ['certificates.k8s.io'],
  resources: ['signers'],
  resourceNames,
  verbs: [verb],
});

/** Notes status and text of an answer that shows who asked, which differs between servers. */
async function outcome(s: Session, method: string, target: string, body: unknown): Promise<void> {
  const answer = await s.quiet(method, target, { body, ...(method === 'PATCH' ? { type: MERGE } : {}) });
  if (answer.status >= 300) await s.call(method, target, { body, ...(method === 'PATCH' ? { type: MERGE } : {}) });
  else s.steps.push({ request: `${method} ${target.replaceAll(s.ns, '{ns}')}`, status: answer.status });
}

async function cleanUp(s: Session, names: readonly string[]): Promise<void> {
  for (const name of names) await s.quiet('DELETE', `${REQUESTS}/${name}`);
  for (const kind of ['clusterroles', 'clusterrolebindings'])
    await s.quiet('DELETE', `${RBAC}/${kind}/certificates-${s.ns}`);
}

it('only an account that may approve for a signer can approve its requests', async (s) => {
  const names = ['a', 'b', 'c', 'd'].map((name) => `${name}-${s.ns}`);
  const [a, b, c, d] = names as [string, string, string, string];
  const session = await decider(s, [
    signers('approve', CLIENT, 'example.com/*'),
    signers('sign', KUBELET_CLIENT, 'kubernetes.io/*'),
  ]);
  await given(s, REQUESTS, request(a));
  await given(s, REQUESTS, request(b, { signerName: 'example.com/serving' }));
  await given(s, REQUESTS, request(c, { signerName: 'example.org/serving' }));
  await given(s, REQUESTS, request(d, { signerName: CLIENT }));
  for (const name of names) await outcome(session, 'PATCH', `${REQUESTS}/${name}/approval`, approved);
  // Neither the signer that a body names counts, nor does an update that changes nothing pass.
  const claimed = { ...request(a, { signerName: CLIENT }), ...approved };
  await outcome(session, 'PUT', `${REQUESTS}/${a}/approval`, claimed);
  await outcome(session, 'PUT', `${REQUESTS}/${a}/approval`, request(a));
  await outcome(session, 'PATCH', `${REQUESTS}/${a}/approval`, { status: { conditions: [condition('Denied')] } });
  // What is invalid is reported first.
  await outcome(session, 'PATCH', `${REQUESTS}/${a}/approval`, {
    status: { conditions: [condition('Approved', { status: 'False' })] },
  });
  await cleanUp(s, names);
});

it('only an account that may sign for a signer can issue its certificates', async (s) => {
  const names = ['a', 'b', 'c'].map((name) => `${name}-${s.ns}`);
  const [a, b, c] = names as [string, string, string];
  const session = await decider(s, [
    signers('approve', KUBELET_CLIENT, 'kubernetes.io/*'),
    signers('sign', 'example.com/*', CLIENT),
  ]);
  const ca = createCa({ commonName: 'ca', keyFrom: systemRandom('ca'), now: Date.parse(AT) });
  const certificate = base64(ca.sign(pem(), { usages: ['client'], now: Date.parse(AT) }));
  await given(s, REQUESTS, request(a));
  await given(s, REQUESTS, request(b, { signerName: 'example.com/serving' }));
  await given(s, REQUESTS, request(c, { signerName: CLIENT }));
  for (const name of names) {
    await outcome(session, 'PATCH', `${REQUESTS}/${name}/status`, { status: { certificate } });
    await outcome(session, 'PATCH', `${REQUESTS}/${name}/status`, { status: { conditions: [condition('Failed')] } });
    // Neither certificate nor conditions are changed.
    await outcome(session, 'PATCH', `${REQUESTS}/${name}/status`, { metadata: { labels: { a: 'b' } } });
  }
  await cleanUp(s, names);
});

it('a request for a client certificate of system:masters is refused', async (s) => {
  const session = await decider(s, []);
  const masters = base64(pem({ commonName: 'x', organizations: ['a', 'system:masters'] }));
  const name = `m-${s.ns}`;
  const dry = `${REQUESTS}?dryRun=All`;
  for (const who of [s, session]) {
    await outcome(who, 'POST', dry, request(name, { request: masters, signerName: CLIENT }));
    await outcome(who, 'POST', dry, request(name, { request: masters, signerName: KUBELET_CLIENT }));
    await outcome(who, 'POST', dry, request(name, { request: masters, signerName: 'example.com/x' }));
  }
  await cleanUp(s, [name]);
});

it('a request must be one, and be signed by its key', async (s) => {
  const good = pem();
  const der = Buffer.from(good.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const armoured = (bytes: Uint8Array, label = 'CERTIFICATE REQUEST'): string =>
    `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${label}-----\n`;
  const forged = Buffer.from(der);
  forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1;
  const bad = [
    '',
    'hello',
    armoured(der, 'NEW CERTIFICATE REQUEST'),
    armoured(der, 'CERTIFICATE') + good,
    armoured(forged),
    armoured(Buffer.concat([der, Buffer.of(5, 0)])),
    armoured(der.subarray(0, 60)),
    armoured(Buffer.alloc(0)),
    good.replace('-----END CERTIFICATE REQUEST-----', '-----END SOMETHING-----'),
  ];
  for (const each of bad) await s.post(`${REQUESTS}?dryRun=All`, request(`x-${s.ns}`, { request: base64(each) }));
  await outcome(s, 'POST', `${REQUESTS}?dryRun=All`, request(`x-${s.ns}`, { request: base64(`text before\n${good}`) }));
  await outcome(s, 'POST', `${REQUESTS}?dryRun=All`, request(`x-${s.ns}`, { expirationSeconds: 600 }));
  await s.post(`${REQUESTS}?dryRun=All`, request(`x-${s.ns}`, { expirationSeconds: 599 }));
});

it('what was decided stays, and what is issued must be certificates', async (s) => {
  const name = `a-${s.ns}`;
  const at = `${REQUESTS}/${name}`;
  await given(s, REQUESTS, { ...request(name), ...approved });
  const shown = async (): Promise<void> => {
    const { status } = (await s.quiet('GET', at)).object() as { status?: object };
    s.steps.push({ request: `GET ${at.replaceAll(s.ns, '{ns}')}`, status: 200, body: status ?? {} });
  };
  await shown();
  // Nobody creates or updates a request with a decision in it.
  await outcome(s, 'PATCH', at, approved);
  await shown();
  await outcome(s, 'PATCH', `${at}/status`, approved);
  await outcome(s, 'PATCH', `${at}/approval`, approved);
  await outcome(s, 'PATCH', `${at}/approval`, { status: { certificate: base64('x') } });
  // Overwritten by a signer the approval stays as it was.
  const other = condition('Approved', { reason: 'Other', message: 'other' });
  await outcome(s, 'PATCH', `${at}/status`, {
    status: { conditions: [other, condition('Ours', { status: 'False' })] },
  });
  await shown();
  await outcome(s, 'PATCH', `${at}/status`, { status: { conditions: [] } });
  await outcome(s, 'PATCH', `${at}/approval`, { status: { conditions: [] } });
  await outcome(s, 'PATCH', `${at}/approval`, { status: { conditions: [condition('Approved'), condition('Denied')] } });
  const ca = createCa({
    commonName: 'ca',
    keyFrom: systemRandom('ca'),
    random: systemRandom('s'),
    now: Date.parse(AT),
  });
  const { certPem, keyPem } = ca;
  const headers = certPem.replace('-----\n', '-----\nA: b\n\n');
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  for (const each of ['x', keyPem, `${certPem}${keyPem}`, headers, broken])
    await outcome(s, 'PATCH', `${at}/status`, { status: { certificate: base64(each) } });
  await outcome(s, 'PATCH', `${at}/status`, { status: { certificate: base64(certPem) } });
  await outcome(s, 'PATCH', `${at}/status`, { status: { certificate: base64(`${certPem}\n`) } });
  await outcome(s, 'PATCH', `${at}/status`, { status: { certificate: null } });
  await cleanUp(s, [name]);
});
