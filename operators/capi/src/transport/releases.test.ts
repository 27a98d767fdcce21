import { describe, expect, it } from 'vitest';
import { definition, dependent, transportMap } from '../testing/objects.js';
import { readReleases } from './releases.js';

const MACHINES = definition('Machine', { v1beta1: {}, v1beta2: {} });
const CLUSTERS = definition('Cluster', { v1beta2: {} });

describe('the transport config maps', () => {
  it('make a release of several maps and providers, and one of the next', () => {
    const maps = [
      transportMap('core-2', [CLUSTERS], { packed: true }),
      transportMap('core-1', [MACHINES]),
      transportMap('openstack', [dependent('capo', { 'machines.cluster.x-k8s.io': 'v1beta1' })], {
        provider: 'openstack',
      }),
      transportMap('core-next', [CLUSTERS], { role: 'future', release: '4.23.0' }),
    ];
    const { active, bad, future } = readReleases(maps);
    expect(bad).toEqual([]);
    expect([active.version, active.components]).toEqual(['4.22.0', ['cluster-api', 'openstack']]);
    expect([...active.definitions].map(([name, { additionalVersions }]) => [name, additionalVersions])).toEqual([
      ['clusters.cluster.x-k8s.io', []],
      ['machines.cluster.x-k8s.io', ['v1beta1']],
    ]);
    expect([future.version, [...future.definitions.keys()]]).toEqual(['4.23.0', ['clusters.cluster.x-k8s.io']]);
  });

  it('ask for no version twice, nor for the stored one', () => {
    const needs = { 'machines.cluster.x-k8s.io': 'v1beta2,v1beta1' };
    const maps = [transportMap('core', [MACHINES, dependent('a', needs), dependent('b', needs)])];
    const [machines] = readReleases(maps).active.definitions.values();
    expect(machines?.additionalVersions).toEqual(['v1beta1']);
  });

  it('that carry the same CRD twice agree or are refused', () => {
    const same = [transportMap('a', [MACHINES]), transportMap('b', [MACHINES])];
    expect(readReleases(same).bad).toEqual([]);
    const other = definition('Machine', { v1beta2: {} });
    expect(readReleases([transportMap('a', [MACHINES]), transportMap('b', [other])]).bad).toEqual([
      {
        map: 'openshift-cluster-api-operator/b',
        problem: 'it has another machines.cluster.x-k8s.io than that of cluster-api',
      },
    ]);
  });

  it('of two releases in one role are refused', () => {
    const maps = [transportMap('a', [MACHINES]), transportMap('b', [CLUSTERS], { release: '4.21.0' })];
    expect(readReleases(maps).bad).toEqual([
      {
        map: 'openshift-cluster-api-operator/b',
        problem: 'it is of release 4.21.0, but another active one is of 4.22.0',
      },
    ]);
  });

  it.each([
    [
      { 'machines.cluster.x-k8s.io': 'v1alpha4' },
      'Deployment capo depends on version v1alpha4 of machines.cluster.x-k8s.io, which has v1beta1, v1beta2',
    ],
    [{ 'pools.x.io': 'v1' }, 'Deployment capo depends on pools.x.io, which no transport config map of its release has'],
  ])('with a dependency on %j that is not there are refused', (needs, problem) => {
    const { active, bad } = readReleases([transportMap('core', [MACHINES, dependent('capo', needs)])]);
    expect(bad).toEqual([{ map: 'openshift-cluster-api-operator/core', problem }]);
    expect([...active.definitions.keys()]).toEqual(['machines.cluster.x-k8s.io']);
  });
});
