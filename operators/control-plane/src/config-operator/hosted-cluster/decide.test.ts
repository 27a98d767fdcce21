import type { ClusterVersion } from '@capstan/api/config';
import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { MANAGED_BY_LABEL } from '@capstan/hosting';
import { describeChange } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { desiredVersion, MANAGER, nodeBindings, OBSOLETE_BINDINGS } from '../guest/objects.js';
import { decide } from './decide.js';

const SPEC = { clusterID: 'c', releaseImage: 'registry.example.com/release:4.20.1' } as HostedControlPlaneSpec;
const [RENEWAL, BOOTSTRAPPER] = nodeBindings();
const VERSION = desiredVersion(SPEC, undefined);
const OBSOLETE: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: OBSOLETE_BINDINGS[0] ?? '', labels: { [MANAGED_BY_LABEL]: MANAGER } },
};

function changed(
  bindings: readonly (KubeObject | undefined)[],
  version: ClusterVersion | undefined = VERSION,
): string[] {
  const byName = new Map(bindings.flatMap((each) => (each === undefined ? [] : [[each.metadata.name ?? '', each]])));
  return decide(SPEC, { bindings: byName, version, nodeCount: 0 }).map(describeChange);
}

describe('the inside of a hosted cluster', () => {
  it('gets the bindings of nodes before its version', () => {
    const none = new Map<string, KubeObject>();
    expect(decide(SPEC, { bindings: none, version: undefined, nodeCount: 0 }).map(describeChange)).toEqual([
      'create ClusterRoleBinding hypershift:node-renewal',
      'create ClusterRoleBinding hypershift:node-bootstrapper',
      'create ClusterVersion version',
    ]);
  });

  it.each<[string, readonly (KubeObject | undefined)[], string[]]>([
    ['sends nothing when it is as desired', [RENEWAL, BOOTSTRAPPER], []],
    [
      'creates a binding of another role again, since its role cannot be changed',
      [{ ...(RENEWAL as KubeObject), roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } }, BOOTSTRAPPER],
      ['delete ClusterRoleBinding hypershift:node-renewal', 'create ClusterRoleBinding hypershift:node-renewal'],
    ],
    [
      'deletes what an earlier release bound',
      [RENEWAL, BOOTSTRAPPER, OBSOLETE],
      [`delete ClusterRoleBinding ${OBSOLETE.metadata.name ?? ''}`],
    ],
    [
      'keeps a binding of that name that another client has created',
      [RENEWAL, BOOTSTRAPPER, { ...OBSOLETE, metadata: { ...OBSOLETE.metadata, labels: {} } }],
      [],
    ],
  ])('%s', (_title, bindings, changes) => {
    expect(changed(bindings)).toEqual(changes);
  });

  it('patches a ClusterVersion of another release, and keeps what its user has set', () => {
    const before = {
      ...VERSION,
      spec: { ...VERSION.spec, overrides: [], desiredUpdate: { image: 'old' } },
    } as ClusterVersion;
    expect(changed([RENEWAL, BOOTSTRAPPER], before)).toEqual(['patch ClusterVersion version']);
    const [change] = decide(SPEC, { bindings: new Map(), version: before, nodeCount: 0 }).slice(-1);
    expect(change?.verb === 'patch' && change.after['spec']).toMatchObject({
      overrides: [],
      desiredUpdate: { image: SPEC.releaseImage },
    });
  });
});
