import { hostingPlatforms } from '@capstan/cli/platforms';
import { Client } from '@capstan/kube';
import { applyAll, hostedSimulation, PRIVATE_OPERATOR, privateSnapshot, throughProxy } from '@capstan/tools/hosting';
import { afterAll, describe, expect, it } from 'vitest';
import { PROXIES } from '../proxy/memory.js';
import { clusterApiObjects, GroupWatch, plantPlatformObjects } from './private.js';
import { hostingScenarios } from './suite.js';

const platforms = await hostingPlatforms();
const watch = new GroupWatch();
const snapshot = await privateSnapshot(platforms);
const simulated = await hostedSimulation(platforms, {
  snapshot,
  instances: [PRIVATE_OPERATOR],
  onEvent: watch.onEvent,
});
const { client: direct, simulation } = simulated;
await plantPlatformObjects(direct);
const planted = watch.platformChanges.length;
afterAll(() => simulation.end());

describe('with the operator on private types', () => {
  const random = simulation.random.split('user behind the proxy');
  const clock = simulation.timeline.clock();
  // Its user reads Cluster API by the standard names, which the proxy makes private ones.
  const client = new Client(throughProxy({ send: (request) => simulation.server.send(request) }), { clock, random });
  // The log is read after the last step.
  hostingScenarios(platforms, async () => ({
    hosted: { ...simulated, client, apply: (objects) => applyAll(client, objects) },
    isShared: false,
    close: () => Promise.resolve(),
  }));
});

describe('the log of all that was written', () => {
  const all = [...platforms].map(({ key, machineTemplate, type }) => ({
    type,
    cluster: `on-${key}`,
    hasMachines: machineTemplate !== undefined,
  }));

  it.each(all)('has objects of Cluster API in private groups only on $type', ({ cluster, hasMachines }) => {
    const { first, marked } = watch.beginning(cluster);
    expect(marked).toBeDefined();
    const kinds = new Set(watch.commitsOf(cluster, 'private').map(({ object }) => object.kind));
    if (hasMachines) expect([...kinds]).toEqual(expect.arrayContaining(['Cluster', 'MachineDeployment', 'Machine']));
    expect(first ?? Infinity).toBeGreaterThan(marked ?? Infinity);
    expect(watch.commitsOf(cluster, 'standard')).toEqual([]);
  });

  it.each(all)('has neither owners nor permissions of the standard groups on $type', ({ cluster }) => {
    expect(watch.standardReferencesOf(cluster)).toEqual([]);
  });

  // What so many have together is measured in test/proxy/memory.test.ts.
  it.each(all)('has as many proxies as a control plane may have memory for on $type', ({ cluster, hasMachines }) => {
    const sidecars = watch.sidecarsOf(cluster);
    const operators = ['control-plane-operator', 'hosted-cluster-config-operator', 'machine-approver'];
    const ofMachines = ['capi-provider', 'cluster-api', 'cluster-autoscaler'];
    expect([...sidecars.keys()].toSorted()).toEqual([...operators, ...(hasMachines ? ofMachines : [])].toSorted());
    const proxies = [...sidecars.values()].reduce((sum, replicas) => sum + replicas, 0);
    expect(proxies).toBeLessThanOrEqual(PROXIES);
  });

  it.each(all)('has every proxy open to API servers and scrapers on $type', ({ cluster }) => {
    expect([...watch.openOf(cluster)].toSorted()).toEqual([...watch.sidecarsOf(cluster).keys()].toSorted());
  });

  it('has nothing of the standard groups but what the platform wrote', () => {
    expect(watch.standardWrites()).toEqual([]);
  });

  it("leaves the platform's own objects as they were at every revision", () => {
    expect(planted).toBe(3);
    expect(watch.platformChanges.slice(planted)).toEqual([]);
  });

  it('ends without an object of Cluster API but those of the platform', async () => {
    expect(await clusterApiObjects(direct, 'private')).toEqual([]);
    expect(await clusterApiObjects(direct, 'standard')).toEqual([]);
  });
});
