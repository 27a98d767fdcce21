import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../src/conformance/backend.js';
import { given, pod } from '../src/conformance/objects.js';
import { MERGE, STRATEGIC, type CallOptions, type Session } from '../src/conformance/session.js';
import { openSession } from '../src/conformance/suite.js';
import { bounded } from './bounds.js';
import { untilStatus } from '../src/wait.js';

/*
 * A node whose credentials were stolen: what it can get at with them. It runs one pod; another node runs another, in the
 * same namespace. Whatever it tries, nothing of the other changes, and none of its Secrets is in any answer.
 */

const CANARY = 'c2VjcmV0LW9mLXRoZS1vdGhlci1ub2Rl';
const CORE = '/api/v1/namespaces/{ns}';
const NODES = '/api/v1/nodes';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
/** What the node may read is known to a real server a moment later. */

/** Objects of the other node, of no node, and of the cluster. */
const VICTIMS = [
  `${CORE}/secrets/theirs`,
  `${CORE}/secrets/nobodys`,
  `${CORE}/configmaps/theirs`,
  `${CORE}/serviceaccounts/theirs`,
  `${CORE}/persistentvolumeclaims/theirs`,
  `${CORE}/pods/theirs`,
  `${CORE}/pods/unbound`,
  `${NODES}/theirs-{ns}`,
  `${LEASES}/theirs-{ns}`,
  '/api/v1/namespaces/{ns}',
  `${RBAC}/clusterroles/system:node`,
  `${RBAC}/clusterrolebindings/system:node`,
];

for (const backend of backends())
  describe(`a stolen node [${backend.name}]`, () => {
    let s: Session;
    let before: readonly unknown[] = [];
    const as = (options: CallOptions = {}, node = `mine-${s.ns}`): CallOptions => ({
      ...options,
      headers: { 'impersonate-user': `system:node:${node}`, 'impersonate-group': 'system:nodes' },
    });
    const victims = (): Promise<unknown[]> =>
      Promise.all(VICTIMS.map(async (target) => (await s.quiet('GET', target)).object().metadata.resourceVersion));
    const status = async (method: string, target: string, options: CallOptions = {}): Promise<number> =>
      (await s.quiet(method, target, as(options))).status;

    beforeAll(async () => {
      s = await openSession(backend);
      for (const [which, node] of [
        ['mine', 'mine-{ns}'],
        ['theirs', 'theirs-{ns}'],
      ] as const) {
        await given(s, `${CORE}/secrets`, secret(which, which === 'mine' ? 'bWluZQ==' : CANARY));
        await given(s, `${CORE}/configmaps`, { metadata: { name: which }, data: { a: which } });
        await given(s, `${CORE}/serviceaccounts`, { metadata: { name: which } });
        await given(s, `${CORE}/persistentvolumeclaims`, claim(which));
        await given(s, NODES, { metadata: { name: node }, spec: { taints: [{ key: 'kept', effect: 'NoSchedule' }] } });
        await given(s, LEASES, { metadata: { name: node } });
        await given(s, `${CORE}/pods`, pod(which, {}, podSpec(which, node)));
      }
      await given(s, `${CORE}/secrets`, secret('nobodys', CANARY));
      await given(s, `${CORE}/pods`, pod('unbound', {}, podSpec('theirs')));
      await untilStatus(200, async () => ({ status: await status('GET', `${CORE}/secrets/mine`) }));
      before = await victims();
    });

    afterAll(async () => {
      for (const target of [NODES, LEASES])
        for (const which of ['mine', 'theirs']) await s.quiet('DELETE', `${target}/${which}-{ns}`);
      s.close();
    });

    test('does what a node has to do', async () => {
      const own = (await s.quiet('GET', `${CORE}/pods/mine`)).object().metadata.uid;
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: own };
      const token = { body: { spec: { boundObjectRef } } };
      const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
      expect([
        await status('GET', `${CORE}/secrets/mine`),
        await status('GET', `${CORE}/secrets?fieldSelector=metadata.name%3Dmine`),
        await status('GET', `${CORE}/configmaps/mine`),
        await status('GET', `${CORE}/persistentvolumeclaims/mine`),
        await status('GET', `${CORE}/pods/mine`),
        await status('GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dmine-{ns}'),
        await status('GET', `${NODES}/mine-{ns}`),
        await status('GET', '/api/v1/services'),
        await status('POST', `${CORE}/serviceaccounts/mine/token`, token),
        await status('PATCH', `${NODES}/mine-{ns}/status`, { body: ready, type: STRATEGIC }),
        await status('PATCH', `${CORE}/pods/mine/status`, { body: { status: { phase: 'Running' } }, type: STRATEGIC }),
        await status('PATCH', `${LEASES}/mine-{ns}`, { body: { spec: { renewTime: null } }, type: MERGE }),
        await status('PATCH', `${NODES}/mine-{ns}`, {
          body: { metadata: { labels: { 'example.com/a': 'b' } } },
          type: MERGE,
        }),
      ]).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 201, 200, 200, 200, 200]);
    });

    const relabel = (key: string): CallOptions => ({ body: { metadata: { labels: { [key]: 'x' } } }, type: MERGE });
    const attacks: readonly (readonly [string, string, string, CallOptions?])[] = [
      ['lists all Secrets', 'GET', '/api/v1/secrets'],
      ['lists the Secrets of a namespace', 'GET', `${CORE}/secrets`],
      ['reads the Secret of a pod of another node', 'GET', `${CORE}/secrets/theirs`],
      ['reads it by a selector', 'GET', `${CORE}/secrets?fieldSelector=metadata.name%3Dtheirs`],
      ['reads a Secret that no pod names', 'GET', `${CORE}/secrets/nobodys`],
      [
        'names two Secrets at once',
        'GET',
        `${CORE}/secrets?fieldSelector=metadata.name%3Dtheirs,metadata.name%3Dmine2`,
      ],
      ['changes its own Secret', 'PATCH', `${CORE}/secrets/mine`, relabel('a')],
      ['changes another node', 'PATCH', `${NODES}/theirs-{ns}`, relabel('a')],
      ['changes the status of another node', 'PATCH', `${NODES}/theirs-{ns}/status`, relabel('a')],
      ['deletes another node', 'DELETE', `${NODES}/theirs-{ns}`],
      ['deletes itself', 'DELETE', `${NODES}/mine-{ns}`],
      [
        'labels itself for restricted workloads',
        'PATCH',
        `${NODES}/mine-{ns}`,
        relabel('node-restriction.kubernetes.io/x'),
      ],
      ['gives itself a role', 'PATCH', `${NODES}/mine-{ns}`, relabel('node-role.kubernetes.io/control-plane')],
      ['gives itself a role by its status', 'PATCH', `${NODES}/mine-{ns}/status`, relabel('node-role.kubernetes.io/x')],
      ['takes its own taint off', 'PATCH', `${NODES}/mine-{ns}`, { body: { spec: { taints: [] } }, type: MERGE }],
      [
        'takes it off by its status',
        'PATCH',
        `${NODES}/mine-{ns}/status`,
        { body: { spec: { taints: [] } }, type: MERGE },
      ],
      ['renews the lease of another node', 'PATCH', `${LEASES}/theirs-{ns}`, relabel('a')],
      ['creates a plain pod', 'POST', `${CORE}/pods`, { body: pod('x') }],
      ['creates a pod on itself', 'POST', `${CORE}/pods`, { body: pod('x', {}, { nodeName: 'mine-{ns}' }) }],
      [
        'creates a mirror pod with another account',
        'POST',
        `${CORE}/pods`,
        {
          body: pod(
            'x',
            { annotations: { 'kubernetes.io/config.mirror': 'x' } },
            { nodeName: 'mine-{ns}', serviceAccountName: 'theirs' },
          ),
        },
      ],
      ['deletes a pod of another node', 'DELETE', `${CORE}/pods/theirs`],
      ['deletes a pod without a node', 'DELETE', `${CORE}/pods/unbound`],
      ['deletes all pods', 'DELETE', `${CORE}/pods`],
      [
        'reports the status of others',
        'PATCH',
        `${CORE}/pods/theirs/status`,
        { body: { status: { phase: 'Failed' } }, type: MERGE },
      ],
      ['evicts a pod of another node', 'POST', `${CORE}/pods/theirs/eviction`, { body: eviction('theirs') }],
      [
        'binds a pod to itself',
        'POST',
        `${CORE}/pods/unbound/binding`,
        { body: { target: { kind: 'Node', name: 'mine-{ns}' } } },
      ],
      ['debugs its own pod', 'PATCH', `${CORE}/pods/mine/ephemeralcontainers`, { body: { spec: {} }, type: MERGE }],
      ['runs a command in a pod of another node', 'POST', `${CORE}/pods/theirs/exec?command=sh`],
      [
        'asks for a token of an account not on it',
        'POST',
        `${CORE}/serviceaccounts/theirs/token`,
        { body: { spec: {} } },
      ],
      [
        'asks for a token of its account without a pod',
        'POST',
        `${CORE}/serviceaccounts/mine/token`,
        { body: { spec: {} } },
      ],
      ['reads a claim of another node', 'GET', `${CORE}/persistentvolumeclaims/theirs`],
      [
        'grows a claim of another node',
        'PATCH',
        `${CORE}/persistentvolumeclaims/theirs/status`,
        { body: { status: { capacity: { storage: '9Gi' } } }, type: MERGE },
      ],
      [
        'binds itself to a role',
        'POST',
        `${RBAC}/clusterrolebindings`,
        { body: { metadata: { name: 'x' }, roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } } },
      ],
    ];
    for (const [title, method, target, options] of attacks)
      test(`${title}: refused`, async () => {
        const answer = await s.quiet(method, target, as(options));
        expect([answer.status, answer.text.includes(CANARY)]).toEqual([403, false]);
      });

    // Before 1.32, which knows selectors, nodes read all nodes and pods.
    const reads = backend.name === 'real-1.30' ? undefined : test;
    reads?.('reads no other node, and no pod of others', async () => {
      for (const target of [
        NODES,
        `${NODES}/theirs-{ns}`,
        '/api/v1/pods',
        `${CORE}/pods/theirs`,
        `${CORE}/pods/unbound`,
      ])
        expect([target, await status('GET', target)]).toEqual([target, 403]);
    });

    test('finds nothing by guessing', { timeout: bounded(20_000, 300_000) }, async () => {
      const attempt = async (each: Guess): Promise<void> => {
        const options = each.body === undefined ? {} : { body: each.body, type: each.type };
        const answer = await s.quiet(each.method, each.target, as(each.method === 'GET' ? {} : options));
        expect(answer.text).not.toContain(CANARY);
      };
      await fc.assert(fc.asyncProperty(guesses, attempt), { numRuns: bounded(150, 4000) });
    });

    test('has changed nothing of others', async () => {
      expect(await victims()).toEqual(before);
    });
  });

function secret(name: string, value: string): Record<string, unknown> {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { a: value } };
}

function claim(name: string): Record<string, unknown> {
  const resources = { requests: { storage: '1Gi' } };
  return { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources, storageClassName: 'x' } };
}

function eviction(name: string): object {
  return { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
}

function podSpec(name: string, node?: string): Record<string, unknown> {
  const token = { serviceAccountToken: { path: 't', expirationSeconds: 3600 } };
  return {
    ...(node === undefined ? {} : { nodeName: node }),
    serviceAccountName: name,
    automountServiceAccountToken: false,
    volumes: [
      { name: 's', secret: { secretName: name } },
      { name: 'c', configMap: { name } },
      { name: 'v', persistentVolumeClaim: { claimName: name } },
      { name: 't', projected: { sources: [token] } },
    ],
  };
}

/** A request that an attacker tries. */
interface Guess {
  readonly method: string;
  readonly target: string;
  readonly type: string;
  readonly body: object | undefined;
}

const QUERIES = [
  '',
  '?fieldSelector=metadata.name%3Dtheirs',
  '?fieldSelector=metadata.name!%3Dmine',
  '?fieldSelector=spec.nodeName%3Dmine-{ns}',
  '?fieldSelector=spec.nodeName%3Dmine-{ns},metadata.name%3Dtheirs',
  '?labelSelector=a',
  '?limit=1',
  '?dryRun=All',
  '?gracePeriodSeconds=0&propagationPolicy=Background',
];
const SUBRESOURCES = [
  '',
  '',
  '',
  '/status',
  '/token',
  '/eviction',
  '/binding',
  '/ephemeralcontainers',
  '/resize',
  '/scale',
];
const BODIES = [
  undefined,
  {},
  { metadata: { labels: { a: 'b' } } },
  { metadata: { ownerReferences: [], finalizers: [] } },
  { spec: { nodeName: 'mine-{ns}' } },
  { spec: { taints: [], unschedulable: false } },
  { status: { phase: 'Failed' } },
  { data: null },
  { target: { kind: 'Node', name: 'mine-{ns}' } },
  eviction('theirs'),
];
/** Whatever the server shows of its own accord, nothing of it is the other node's. */
const guesses: fc.Arbitrary<Guess> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    victim: fc.constantFrom(...VICTIMS),
    part: fc.constantFrom('object', 'collection', 'everywhere'),
    subresource: fc.constantFrom(...SUBRESOURCES),
    query: fc.constantFrom(...QUERIES),
    type: fc.constantFrom('application/json', MERGE, STRATEGIC, 'application/apply-patch+yaml'),
    body: fc.constantFrom(...BODIES),
  })
  .map(({ method, victim, part, subresource, query, type, body }) => {
    const collection = victim.slice(0, victim.lastIndexOf('/'));
    const path = {
      object: `${victim}${subresource}`,
      collection,
      everywhere: collection.replace('/namespaces/{ns}', ''),
    }[part];
    return { method, target: `${path}${query}`, type, body };
  });
