import { describe, expect, it } from 'vitest';
import { decideOwners } from './claim-retention.js';
import type { StatefulSet } from './decide.js';

const set = (whenDeleted: string, whenScaled: string): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', uid: 'set' },
  spec: { selector: {}, template: {}, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } },
});
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'db-0', uid: 'pod' } };
const owner = (uid: string, kind = 'Thing', name = uid) => ({ apiVersion: 'v1', kind, name, uid });

describe('the owners of a claim', () => {
  it.each([
    ['nobody when it is retained', set('Retain', 'Retain'), [], false, undefined],
    ['the set when it goes with it', set('Delete', 'Retain'), [], false, 'set'],
    ['the set as it is', set('Delete', 'Retain'), [owner('set')], false, undefined],
    ['the pod that is one too many', set('Retain', 'Delete'), [], true, 'pod'],
    ['the pod instead of the set', set('Delete', 'Delete'), [owner('set')], true, 'pod'],
    [
      'the set again when the pod is wanted again',
      set('Delete', 'Delete'),
      [owner('pod', 'Pod', 'db-0')],
      false,
      'set',
    ],
    ['nobody when the policy changed', set('Retain', 'Retain'), [owner('set')], false, ''],
    ['others too', set('Delete', 'Retain'), [owner('other')], false, 'other,set'],
    ['no pod of an earlier life', set('Retain', 'Delete'), [owner('dead', 'Pod', 'db-0')], false, ''],
  ])('are %s', (...[, of, before, isCondemned, wanted]) => {
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { ownerReferences: before } };
    const owners = decideOwners(of, pod, claim, isCondemned);
    expect(owners?.map(({ uid }) => uid).join()).toBe(wanted);
  });
});
