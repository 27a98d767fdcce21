import { describe, expect, it } from 'vitest';
import { attachedText, stillAttached } from './volumes.js';

const EARLIER = '2026-01-01T00:00:00Z';

describe('volumes that are still attached', () => {
  it('are listed by claim where one is known', () => {
    const volume = (name: string, spec: object): never =>
      ({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec }) as never;
    const claim = (name: string): object => ({ claimRef: { kind: 'PersistentVolumeClaim', namespace: 'n', name } });
    const attached = stillAttached(
      {
        names: new Set(['kubernetes.io/csi/d^1', 'kubernetes.io/csi/d^9']),
        volumeNames: new Set(['two', 'three', 'nine']),
        ignoredClaims: new Set(['n/ignored']),
      },
      [
        volume('one', { csi: { driver: 'd', volumeHandle: '1' }, ...claim('a') }),
        volume('two', claim('ignored')),
        volume('three', {}),
        volume('other', claim('b')),
      ],
    );
    expect(attachedText(attached, EARLIER)).toBe(
      [
        `Waiting for Node volumes to be detached (started at ${EARLIER})`,
        '* PersistentVolumeClaims: n/a',
        '* PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim: three',
        '* Node with .status.volumesAttached entries not matching a PersistentVolume: kubernetes.io/csi/d^9',
        '* VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume: nine',
      ].join('\n'),
    );
    expect(attachedText({ claims: [], volumesWithoutClaim: [], unknownNames: [], unknownVolumes: [] }, EARLIER)).toBe(
      '',
    );
  });
});
