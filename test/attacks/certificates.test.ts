import { X509Certificate } from 'node:crypto';
import { Client, createCa, createCertificateRequest, systemClock, systemRandom } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { ApiError } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { certificateControllers, userOfCertificate } from '@capstan/simulation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends, isReal } from '../src/conformance/backend.js';
import { ATTEMPTS, client, KUBELET, kubelet, MASTERS, SERVING, serving } from './certificates.table.js';
import type { Attempt } from './certificates.table.js';

/*
 * An account that may create certificate requests and update their approval, status and all tries to impersonate
 * another. The signers are those of `capstan up`, run next to the server.
 */

const REQUESTS = {
  group: 'certificates.k8s.io',
  version: 'v1',
  plural: 'certificatesigningrequests',
  namespaced: false,
};
const RBAC = 'rbac.authorization.k8s.io';
const DAY_MS = 86_400_000;
const WAIT = { timeout: 20_000, interval: 50 };
/** Longer than the signer takes for what it signs. */
const SETTLE_MS = isReal ? 1_500 : 300;

interface Request extends KubeObject {
  readonly spec?: { readonly username?: string };
  readonly status?: {
    readonly certificate?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason?: string; readonly message?: string }[];
  };
}

for (const backend of backends())
  describe(`certificates on ${backend.name}`, () => {
    const clock = systemClock();
    const random = systemRandom();
    const name = `certificates-${Date.now().toString(36)}`;
    const ca = createCa({ commonName: 'signer' });
    const stop = new AbortController();
    let admin: Client;
    let attacker: Client;
    let approver: Client;
    let transport: Transport;
    let ended: Promise<void>;
    let asked = 0;

    const standingIn = (user: string): Client =>
      new Client({
        send: (request) =>
          transport.send({
            ...request,
            headers: {
              ...request.headers,
              'impersonate-user': user,
              'impersonate-group': 'system:nodes',
            },
          }),
      });

    const account = async (user: string, signers: readonly string[]): Promise<Client> => {
      const namespace = name;
      const metadata = { name: `${name}-${user}` };
      const certificates = REQUESTS.group;
      const subresources = ['approval', 'status'].map((each) => `${REQUESTS.plural}/${each}`);
      const at = (plural: string): { group: string; version: string; plural: string; namespaced: false } => ({
        group: RBAC,
        version: 'v1',
        plural,
        namespaced: false,
      });
      await admin.create(
        { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true },
        {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: user, namespace },
        },
      );
      await admin.create<KubeObject>(at('clusterroles'), {
        apiVersion: `${RBAC}/v1`,
        kind: 'ClusterRole',
        metadata,
        rules: [
          { apiGroups: [certificates], resources: [REQUESTS.plural], verbs: ['*'] },
          { apiGroups: [certificates], resources: subresources, verbs: ['*'] },
          ...(signers.length === 0
            ? []
            : [{ apiGroups: [certificates], resources: ['signers'], resourceNames: signers, verbs: ['approve'] }]),
        ],
      });
      await admin.create<KubeObject>(at('clusterrolebindings'), {
        apiVersion: `${RBAC}/v1`,
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: metadata.name },
        // Nodes may do what the account may: whom a real server lets ask is no part of this.
        subjects: [
          { kind: 'ServiceAccount', name: user, namespace },
          ...(signers.length === 0 ? [{ apiGroup: RBAC, kind: 'Group', name: 'system:nodes' }] : []),
        ],
      });
      const { status } = await admin.create<KubeObject & { status?: { token: string } }>(
        { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true },
        { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { namespace }, spec: {} },
        { namespace, name: user, subresource: 'token' },
      );
      const connected = await backend.connect();
      const made = new Client(connected.as(status?.token));
      // A real server sees roles a moment after they are written.
      await waitUntil(
        'the account has its permissions',
        () =>
          made.list(REQUESTS).then(
            () => true,
            () => false,
          ),
        {
          clock,
          limitMs: WAIT.timeout,
          everyMs: WAIT.interval,
        },
      );
      return made;
    };

    beforeAll(async () => {
      ({ transport } = await backend.connect());
      admin = new Client(transport);
      await admin.create(
        { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name },
        },
      );
      attacker = await account('attacker', []);
      approver = await account('approver', ['kubernetes.io/*', 'example.com/*']);
      ended = certificateControllers({ transport, clock, random, ca }).run(stop.signal);
    });

    afterAll(async () => {
      stop.abort();
      await ended;
      const { items } = await admin.list(REQUESTS);
      for (const { metadata } of items)
        if (metadata.name?.startsWith(name) === true) await admin.delete(REQUESTS, metadata.name);
      for (const user of ['attacker', 'approver'])
        for (const plural of ['clusterroles', 'clusterrolebindings'])
          await admin.delete({ group: RBAC, version: 'v1', plural, namespaced: false }, `${name}-${user}`);
    });

    const ask = async ({ as, asked: wanted, usages, ...spec }: Attempt): Promise<Request> => {
      const { requestPem } = createCertificateRequest(wanted);
      const request: Request = {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: `${name}-${(asked += 1)}` },
        // Who asks is the server's to say.
        spec: {
          ...spec,
          usages,
          request: Buffer.from(requestPem).toString('base64'),
          username: 'system:node:victim',
          groups: ['system:nodes', MASTERS],
        } as Request['spec'] & object,
        status: { conditions: [{ type: 'Approved', status: 'True' } as { type: string }], certificate: 'AAAA' },
      };
      return (as === undefined ? attacker : standingIn(as)).create<Request>(REQUESTS, request);
    };
    const approve = async (who: Client, request: Request): Promise<unknown> => {
      const conditions = [{ type: 'Approved', status: 'True', reason: 'Attack', message: 'mine' }];
      return who.update(REQUESTS, { ...request, status: { conditions } } as Request, { subresource: 'approval' });
    };
    const messageOf = (error: unknown): string => {
      if (error instanceof ApiError) return error.message;
      throw error;
    };
    const now = (request: Request): Promise<Request> => admin.get<Request>(REQUESTS, request.metadata.name ?? '');

    it('an account that may update approval and status approves and signs nothing', async () => {
      const request = await ask(kubelet({}));
      expect(request.spec?.username).toBe(`system:serviceaccount:${name}:attacker`);
      expect(request.status).toEqual({});
      const why = (verb: string): string =>
        `certificatesigningrequests.certificates.k8s.io "${request.metadata.name}" is forbidden: user not permitted to ${verb} requests with signerName "${KUBELET}"`;
      expect(await approve(attacker, request).catch(messageOf)).toBe(why('approve'));
      const certificate = Buffer.from(ca.certPem).toString('base64');
      const signed = { ...request, status: { certificate } };
      expect(await attacker.update(REQUESTS, signed, { subresource: 'status' }).catch(messageOf)).toBe(why('sign'));
      expect(await approver.update(REQUESTS, signed, { subresource: 'status' }).catch(messageOf)).toBe(why('sign'));
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      expect((await now(request)).status).toEqual({});
    });

    it('a valid request is signed for as long as asked, and no longer than the signer allows', async () => {
      const good: readonly (readonly [Attempt, number])[] = [
        [{ ...kubelet({}), expirationSeconds: 600 }, 600_000],
        [{ ...serving({ ipAddresses: ['10.0.0.1'] }), expirationSeconds: 2 ** 31 - 1 }, 30 * DAY_MS],
        [client(['developers']), 30 * DAY_MS],
      ];
      for (const [attempt, validForMs] of good) {
        const request = await ask(attempt);
        await approve(approver, request);
        await expect.poll(async () => (await now(request)).status?.certificate ?? '', WAIT).not.toBe('');
        const pem = Buffer.from((await now(request)).status?.certificate ?? '', 'base64').toString();
        const certificate = new X509Certificate(pem);
        const left = Date.parse(certificate.validTo) - Date.now();
        expect([left <= validForMs, left > validForMs - 60_000]).toEqual([true, true]);
        expect(certificate.ca).toBe(false);
        const user = userOfCertificate(certificate, ca.certPem, Date.now());
        // A serving certificate does not authenticate a client.
        expect(user?.username).toBe(attempt.signerName === SERVING ? undefined : attempt.asked.commonName);
      }
    });

    it('a name with separators is not read as a list of names', async () => {
      const request = await ask(client([`a\nO=${MASTERS}`, `b, O=${MASTERS}`, `c/O=${MASTERS}`]));
      await approve(approver, request);
      await expect.poll(async () => (await now(request)).status?.certificate ?? '', WAIT).not.toBe('');
      const pem = Buffer.from((await now(request)).status?.certificate ?? '', 'base64').toString();
      const { groups } = userOfCertificate(new X509Certificate(pem), ca.certPem, Date.now()) ?? { groups: [] };
      expect(groups).toHaveLength(4);
      expect(groups).not.toContain(MASTERS);
    });

    it('does not sign a request that its signer does not handle, even when it is approved', async () => {
      const pending: { what: string; request: Request; reason: string }[] = [];
      for (const [what, attempt, reason] of ATTEMPTS) {
        const answer = await ask(attempt).catch(messageOf);
        // Admission may refuse already: masters and legacy here, nodes that ask for others where NodeRestriction is on.
        if (typeof answer === 'string')
          expect([what, answer]).toEqual([what, expect.stringMatching(/is forbidden|legacy/)]);
        else pending.push({ what, request: answer, reason });
      }
      expect(pending.length).toBeGreaterThan(ATTEMPTS.length - 8);
      for (const { request } of pending) await approve(approver, request);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      for (const { reason, request, what } of pending) {
        if (reason !== '')
          await expect.poll(async () => (await now(request)).status?.conditions?.at(-1)?.type, WAIT).toBe('Failed');
        const { certificate, conditions = [] } = (await now(request)).status ?? {};
        const failed = conditions.filter(({ type }) => type === 'Failed').map((each) => [each.reason, each.message]);
        expect([what, certificate, failed]).toEqual([
          what,
          undefined,
          reason === '' ? [] : [['SignerValidationFailure', reason]],
        ]);
      }
    });
  });
