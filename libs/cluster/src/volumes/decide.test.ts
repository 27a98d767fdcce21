import { describe, expect, it } from 'vitest';
import { decideClaim, decidePhase, makeVolume, uses } from './decide.js';
import type { StorageClass, Volume, VolumeClaim } from './decide.js';

function claim(spec: VolumeClaim['spec'] = {}): VolumeClaim {
  const metadata = { name: 'c', namespace: 'n', uid: 'u' };
  const resources = { requests: { storage: '2Gi' } };
  const base = { accessModes: ['ReadWriteOnce'], resources, storageClassName: '' };
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: { ...base, ...spec } };
}

function volume(name: string, storage: string, spec: Volume['spec'] = {}): Volume {
  const accessModes = ['ReadWriteOnce', 'ReadOnlyMany'];
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: { accessModes, capacity: { storage }, ...spec },
  };
}

function storageClass(fields: Partial<StorageClass>): StorageClass {
  return { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: {}, provisioner: 'p', ...fields };
}

const CLASSES: Readonly<Record<string, StorageClass>> = {
  fast: storageClass({}),
  late: storageClass({ volumeBindingMode: 'WaitForFirstConsumer' }),
  fixed: storageClass({ provisioner: 'kubernetes.io/no-provisioner' }),
};

describe('a claim', () => {
  const { storageClassName: _, ...noClass } = claim().spec ?? {};
  const other = { name: 'x', namespace: 'n', uid: 'x' };
  const mine = { name: 'c', namespace: 'n' };
  it.each([
    ['takes the smallest that will do', claim(), [volume('l', '10Gi'), volume('m', '3Gi'), volume('s', '1Gi')], 'm'],
    ['takes none in other modes', claim({ accessModes: ['ReadWriteMany'] }), [volume('m', '3Gi')], 'wait'],
    ['takes none of another class', claim(), [volume('m', '3Gi', { storageClassName: 'fast' })], 'wait'],
    ['takes none of another', claim(), [volume('m', '3Gi', { claimRef: other })], 'wait'],
    ['takes the one promised to it', claim(), [volume('s', '2Gi'), volume('m', '3Gi', { claimRef: mine })], 'm'],
    ['takes the one it names', claim({ volumeName: 's' }), [volume('s', '1Gi'), volume('m', '3Gi')], 's'],
    ['waits for the one it names', claim({ volumeName: 'z' }), [volume('m', '3Gi')], 'wait'],
    ['has one made by its class', claim({ storageClassName: 'fast' }), [], 'provision'],
    ['has one made when it names no class', { ...claim(), spec: noClass }, [], 'provision'],
    ['waits for a pod where the class binds late', claim({ storageClassName: 'late' }), [], 'wait'],
    ['waits where the class makes none', claim({ storageClassName: 'fixed' }), [], 'wait'],
    ['waits for its class', claim({ storageClassName: 'none' }), [], 'wait'],
  ])('%s', (_name, of, volumes, wanted) => {
    const decision = decideClaim({ claim: of, volumes, isUsed: false, classOf: (name) => CLASSES[name] });
    expect('bind' in decision ? decision.bind.metadata.name : Object.keys(decision)[0]).toBe(wanted);
  });

  it('goes on when a pod has come', () => {
    const of = claim({ storageClassName: 'late' });
    const decision = decideClaim({ claim: of, volumes: [], isUsed: true, classOf: (name) => CLASSES[name] });
    expect(decision).toEqual({ provision: CLASSES['late'] });
  });

  it('is used by pods that are not over', () => {
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'n' },
      spec: { volumes },
      status: { phase: 'Running' },
    };
    expect(uses(pod, claim())).toBe(true);
    expect(uses({ ...pod, status: { phase: 'Succeeded' } }, claim())).toBe(false);
    expect(uses({ ...pod, metadata: { namespace: 'm' } }, claim())).toBe(false);
  });
});

describe('a volume', () => {
  const made = makeVolume(claim(), storageClass({ reclaimPolicy: 'Retain' }));
  it.each([
    ['Available', volume('v', '1Gi'), undefined],
    ['Bound', made, claim()],
    ['Released', made, undefined],
    ['Released', made, { ...claim(), metadata: { name: 'c', namespace: 'n', uid: 'later' } }],
    ['Delete', makeVolume(claim(), undefined), undefined],
  ])('is %s', (wanted, of, by) => {
    expect(decidePhase(of, by)).toBe(wanted);
  });
});
