import { ApiServer } from '@capstan/apiserver';
import { Client, systemClock, systemRandom } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { definitionsFor } from './definitions.js';
import { clusterNamespace, clusterObjects, clusterPrograms, fleetOf } from './fleet.js';
import { MAPPING } from './groups.js';
import { Installer } from './install.js';

const images = { clusterApi: 'a', clusterAutoscaler: 'b', infrastructure: 'c', machineApprover: 'd' };
const guest = {
  host: '127.0.0.1',
  port: 1,
  kubeconfigSecret: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kubeconfig', namespace: 'default' } },
  userData: '{}',
};

describe('a fleet', () => {
  it('is spread over platforms, and has a name for every cluster however many there are', () => {
    expect(fleetOf(0)).toEqual([]);
    expect(fleetOf(3).map(({ name, platform }) => `${name} on ${platform}`)).toEqual([
      'anchor on aws',
      'bollard on azure',
      'cleat on kubevirt',
    ]);
    expect(new Set(fleetOf(200).map(({ namespace }) => namespace)).size).toBe(200);
  });

  it('is made of objects that the published kinds of every platform accept', async () => {
    const clusters = fleetOf(6);
    const { signal } = new AbortController();
    const server = new ApiServer({ clock: systemClock(), random: systemRandom() });
    const installer = new Installer(new Client(server));
    await installer.applyAll(await definitionsFor(clusters, []), signal);
    for (const cluster of clusters) {
      await installer.apply(clusterNamespace(cluster), signal);
      await installer.applyAll([...clusterPrograms(cluster, images), ...clusterObjects(cluster, guest)], signal);
    }
    const { items } = await new Client(server).list({
      group: 'cluster.hypershift.openshift.io',
      version: 'v1beta2',
      plural: 'clusters',
      namespaced: true,
    });
    expect(items).toHaveLength(6);
  });

  it('has no proxy whose account has a permission on the groups of the platform', () => {
    const accounts = fleetOf(6).flatMap((cluster) => proxiedAccounts(clusterPrograms(cluster, images)));
    expect(accounts).toHaveLength(24);
    for (const { account, rules } of accounts)
      for (const { apiGroups = [], resourceNames = [] } of rules) {
        expect(apiGroups, `${account}`).not.toContain('*');
        expect(
          apiGroups.filter((group) => MAPPING.side(group) === 'standard'),
          `${account}`,
        ).toEqual([]);
        expect(
          resourceNames.filter((name) => MAPPING.sideAfterDot(name) === 'standard'),
          `${account}`,
        ).toEqual([]);
      }
  });
});

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The accounts of workloads with a proxy, each with all that roles give it. */
function proxiedAccounts(objects: readonly KubeObject[]): { account: string; rules: readonly Rule[] }[] {
  const rulesOf = (account: string): readonly Rule[] =>
    objects
      .filter(
        ({ kind, subjects }) => kind.endsWith('Binding') && (subjects as Named[]).some(({ name }) => name === account),
      )
      .map(({ roleRef }) => roleRef as Named & { kind: string })
      .flatMap((ref) => objects.filter(({ kind, metadata }) => kind === ref.kind && metadata.name === ref.name))
      .flatMap(({ rules }) => rules as Rule[]);
  return objects.filter(hasProxy).map(({ metadata: { name = '' } }) => ({ account: name, rules: rulesOf(name) }));
}

interface Named {
  readonly name: string;
}

function hasProxy({ kind, spec }: KubeObject): boolean {
  if (kind !== 'Deployment') return false;
  const { template } = spec as { template: { spec: { initContainers?: Named[]; containers: Named[] } } };
  const { initContainers = [], containers } = template.spec;
  return [...initContainers, ...containers].some(({ name }) => name === 'kube-apiserver-proxy');
}
