import type { ApiResponse, KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ApiServer } from '../../server.js';
import { ManualClock, countingRandom } from '../../testing/fixture.js';

const PODS = '/api/v1/namespaces/default/pods';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const MOUNT = { readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };

type Spec = Record<string, unknown> & { volumes?: unknown; containers: { volumeMounts?: unknown }[] };

class Fixture {
  readonly clock = new ManualClock();
  readonly #server = new ApiServer({
    clock: this.clock,
    random: countingRandom(),
    serviceAccounts: { admission: true },
  });

  post(target: string, value: unknown): ApiResponse | Promise<ApiResponse> {
    return this.#server.handle({ method: 'POST', target, headers: {}, body: { type: 'value', value } });
  }

  async account(name: string, extra: object = {}): Promise<void> {
    await this.post(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name }, ...extra });
  }

  async pod(spec: object = {}, metadata: object = {}): Promise<{ spec: Spec; status: number; message?: string }> {
    return answered(await this.post(PODS, pod(spec, metadata)));
  }
}

function pod(spec: object, metadata: object = {}): KubeObject {
  const containers = [{ name: 'c', image: 'i:1' }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', ...metadata }, spec: { containers, ...spec } };
}

function answered(response: ApiResponse): { spec: Spec; status: number; message?: string } {
  if (response.body.type !== 'payload') throw new Error('no object');
  return { ...(response.body.value() as { spec: Spec; message?: string }), status: response.status };
}

describe('service accounts of pods', () => {
  it('are the default one, with a token in every container that has nothing else there', async () => {
    const fixture = new Fixture();
    await fixture.account('default');
    const own = { name: 'd', mountPath: MOUNT.mountPath };
    const { spec } = await fixture.pod({
      initContainers: [{ name: 'i', image: 'i:1' }],
      containers: [
        { name: 'c', image: 'i:1', volumeMounts: [{ name: 'd', mountPath: '/d' }] },
        { name: 'own', image: 'i:1', volumeMounts: [own] },
      ],
      volumes: [{ name: 'd', emptyDir: {} }],
    });
    const [, volume] = spec.volumes as { name: string }[];
    const name = volume?.name ?? '';
    expect(name).toMatch(/^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect([spec['serviceAccountName'], spec['serviceAccount']]).toEqual(['default', 'default']);
    expect(volume).toEqual({
      name,
      projected: {
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
            },
          },
        ],
        defaultMode: 420,
      },
    });
    expect(spec.containers.map(({ volumeMounts }) => volumeMounts)).toEqual([
      [
        { name: 'd', mountPath: '/d' },
        { name, ...MOUNT },
      ],
      [own],
    ]);
    expect((spec['initContainers'] as Spec['containers'])[0]?.volumeMounts).toEqual([{ name, ...MOUNT }]);
  });

  it.each([
    ['the account opts out', { automountServiceAccountToken: false }, {}, false],
    ['the pod opts out', {}, { automountServiceAccountToken: false }, false],
    [
      'the pod opts in and the account out',
      { automountServiceAccountToken: false },
      { automountServiceAccountToken: true },
      true,
    ],
  ])('have no token when %s', async (_, account, spec, wanted) => {
    const fixture = new Fixture();
    await fixture.account('robot', account);
    const made = await fixture.pod({ serviceAccountName: 'robot', ...spec });
    expect([made.status, made.spec.volumes !== undefined]).toEqual([201, wanted]);
  });

  it('bring their secrets for images, unless the pod has some', async () => {
    const fixture = new Fixture();
    await fixture.account('robot', { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] });
    const theirs = await fixture.pod({ serviceAccountName: 'robot' });
    expect(theirs.spec['imagePullSecrets']).toEqual([{ name: 'a' }, { name: 'b' }]);
    const own = await fixture.pod({ serviceAccountName: 'robot', imagePullSecrets: [{ name: 'c' }] }, { name: 'q' });
    expect(own.spec['imagePullSecrets']).toEqual([{ name: 'c' }]);
  });

  it('must be there', async () => {
    const refused = await new Fixture().pod({ serviceAccountName: 'none' });
    expect([refused.status, refused.message]).toEqual([
      403,
      'pods "p" is forbidden: error looking up service account default/none: serviceaccount "none" not found',
    ]);
  });

  it('are waited for when it is the one every namespace gets', async () => {
    const fixture = new Fixture();
    const created = fixture.post(PODS, pod({}));
    expect(created).toBeInstanceOf(Promise);
    await fixture.account('default');
    fixture.clock.advance(200);
    expect(answered(await created).spec['serviceAccountName']).toBe('default');
  });

  it.each([
    [{ serviceAccountName: 'robot' }, 'a mirror pod may not reference service accounts'],
    [{ volumes: [{ name: 's', secret: { secretName: 'x' } }] }, 'a mirror pod may not reference secrets'],
    [{ imagePullSecrets: [{ name: 'x' }] }, 'a mirror pod may not reference secrets'],
    [
      { volumes: [{ name: 's', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
      'a mirror pod may not use ServiceAccountToken volume projections',
    ],
  ])('are not for mirror pods: %j', async (spec, reason) => {
    const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
    const refused = await new Fixture().pod({ nodeName: 'n', ...spec }, mirror);
    expect([refused.status, refused.message]).toEqual([403, `pods "p" is forbidden: ${reason}`]);
    const plain = await new Fixture().pod({ nodeName: 'n' }, mirror);
    expect([plain.status, plain.spec['serviceAccountName']]).toEqual([201, undefined]);
  });
});
