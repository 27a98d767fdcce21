import { CAPI_HEALTH_CHECKS, CAPI_MACHINE_SETS, CAPI_MACHINES, CLUSTER_API_NAMESPACE } from '@capstan/machine-api';
import { MAPI_HEALTH_CHECKS, MAPI_MACHINE_SETS, MAPI_MACHINES } from '@capstan/machine-api';
import { ignoreNotFound } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineSetObject } from '@capstan/simulation';
import { hasOriginal, startRealKube } from '@capstan/tools';
import type { RealKube } from '@capstan/tools';
import { SET } from '@capstan/tools/handover';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { CALLERS, RealSyncCluster } from './real-cluster.js';
import type { AnyMachine } from './real-cluster.js';

const { version } = inject('realKube');

vi.setConfig({ testTimeout: 200_000, hookTimeout: 200_000 });

const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';
/** A dead kernel is reported by a problem detector; a second of it is enough. */
const HEALTH_CHECK: KubeObject = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'MachineHealthCheck',
  metadata: { name: SET, namespace: MACHINE_API_NAMESPACE },
  spec: {
    authoritativeAPI: 'ClusterAPI',
    selector: { matchLabels: { 'machine.openshift.io/cluster-api-machineset': SET } },
    maxUnhealthy: '100%',
    nodeStartupTimeout: '20m',
    unhealthyConditions: [{ type: 'KernelDeadlock', status: 'True', timeout: '1s' }],
  },
};

interface Checked extends KubeObject {
  readonly status?: {
    readonly currentHealthy?: number;
    readonly expectedMachines?: number;
    readonly conditions?: readonly Condition[];
  };
}

const names = (objects: readonly KubeObject[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name ?? '').toSorted();
const isPaused = ({ metadata }: KubeObject): boolean => metadata.annotations?.[PAUSED_ANNOTATION] !== undefined;
const paused = (object: Checked): string | undefined =>
  object.status?.conditions?.find(({ type }) => type === 'Paused')?.status;

/** The steps of one life: each begins where the one before ended. */
describe.skipIf(!hasOriginal())(
  'The original manager of Cluster API, on a real kube-apiserver with the operator,',
  () => {
    let kube: RealKube;
    let cluster: RealSyncCluster;
    const sets = async (): Promise<readonly Checked[]> => [
      await cluster.client.get<Checked>(CAPI_MACHINE_SETS, SET, { namespace: CLUSTER_API_NAMESPACE }),
      ...((await cluster.machines(CAPI_MACHINES)) as readonly Checked[]),
    ];
    /** What the health check has found, which it is asked for at most every 15 s. */
    const healthy = async (): Promise<string> => {
      const at = { namespace: CLUSTER_API_NAMESPACE };
      const check = await cluster.client.get<Checked>(CAPI_HEALTH_CHECKS, SET, at).catch(ignoreNotFound);
      const { currentHealthy, expectedMachines } = check?.status ?? {};
      return `${currentHealthy} of ${expectedMachines}`;
    };
    const firstMachine = async (): Promise<AnyMachine> => {
      const [first] = await cluster.machines(CAPI_MACHINES);
      if (first === undefined) throw new Error('there is no machine');
      return first;
    };

    beforeAll(async () => {
      kube = await startRealKube({ version });
      cluster = new RealSyncCluster(kube);
      await cluster.begin();
    });
    afterAll(async () => {
      await cluster.end();
      await kube.stop();
    });

    it('leaves the copies of a MachineSet and its machines alone while Machine API acts on them', async () => {
      await cluster.client.create(MAPI_MACHINE_SETS, machineSetObject(SET, 2));
      // Long before it is needed: it is acted on as rarely.
      await cluster.client.create(MAPI_HEALTH_CHECKS, HEALTH_CHECK);
      await cluster.settled({ machines: 2, authority: 'MachineAPI' });
      const copies = await cluster.until('the copies are acknowledged as paused', async () => {
        const found = await sets();
        return found.every((each) => paused(each) === 'True') && found;
      });
      expect(copies.map(isPaused)).toEqual([true, true, true]);
      expect(names(await cluster.machines(CAPI_MACHINES))).toEqual(names(await cluster.machines(MAPI_MACHINES)));
      expect(cluster.callersSince(0)).toEqual([CALLERS.MachineAPI]);
    });

    it('does not examine paused copies: its MachineHealthCheck counts none of them', async () => {
      await cluster.until('no machine is counted', async () => (await healthy()) === '0 of 0');
      expect((await cluster.machines(CAPI_MACHINES)).map(isPaused)).toEqual([true, true]);
    });

    it('takes over the set and its machines with their instances', async () => {
      const [instances, machines, since] = [
        cluster.living(),
        await cluster.machines(MAPI_MACHINES),
        cluster.cloud.log.length,
      ];
      await cluster.ask('ClusterAPI');
      await cluster.settled({ machines: 2, authority: 'ClusterAPI' });
      await cluster.until('it acts on all', async () => (await sets()).every((each) => paused(each) === 'False'));
      expect(cluster.living()).toEqual(instances);
      expect(cluster.changesSince(since)).toEqual([]);
      expect(names(await cluster.machines(CAPI_MACHINES))).toEqual(names(machines));
    });

    it('hands the set and its machines back with their instances, and takes them again', async () => {
      const [instances, since] = [cluster.living(), cluster.cloud.log.length];
      await cluster.ask('MachineAPI');
      await cluster.settled({ machines: 2, authority: 'MachineAPI' });
      const copies = await sets();
      expect([copies.map(isPaused), copies.map(paused)]).toEqual([
        [true, true, true],
        ['True', 'True', 'True'],
      ]);
      await cluster.ask('ClusterAPI');
      await cluster.settled({ machines: 2, authority: 'ClusterAPI' });
      expect(cluster.living()).toEqual(instances);
      expect(cluster.changesSince(since)).toEqual([]);
    });

    it('scales the set up, and down', async () => {
      const [before, since] = [cluster.living(), cluster.cloud.log.length];
      await cluster.scale(CAPI_MACHINE_SETS, 3);
      await cluster.settled({ machines: 3, authority: 'ClusterAPI' });
      expect(cluster.living()).toEqual(expect.arrayContaining([...before]));
      expect(cluster.changesSince(since)).toEqual([`${CALLERS.ClusterAPI}: create`]);
      await cluster.scale(CAPI_MACHINE_SETS, 2);
      await cluster.settled({ machines: 2, authority: 'ClusterAPI' });
      expect(cluster.changesSince(since)).toEqual([
        `${CALLERS.ClusterAPI}: create`,
        `${CALLERS.ClusterAPI}: terminate`,
      ]);
      await cluster.until('its copy is gone too', async () => (await cluster.machines(CAPI_MACHINES)).length === 2);
      expect(names(await cluster.machines(CAPI_MACHINES))).toEqual(names(await cluster.machines(MAPI_MACHINES)));
      // Reads count as well.
      expect(cluster.callersSince(since)).toEqual([CALLERS.ClusterAPI]);
    });

    it('replaces a machine whose node is unhealthy, as a MachineHealthCheck that it acts on demands', async () => {
      await cluster.until('both machines are found healthy', async () => (await healthy()) === '2 of 2');
      const [before, since, victim] = [cluster.living(), cluster.cloud.log.length, await firstMachine()];
      await cluster.reportDeadKernel(victim);
      await cluster.until('the machine is gone', async () => {
        const left = [...(await cluster.machines(CAPI_MACHINES)), ...(await cluster.machines(MAPI_MACHINES))];
        return !names(left).includes(victim.metadata.name ?? '');
      });
      await cluster.settled({ machines: 2, authority: 'ClusterAPI' });
      expect(cluster.changesSince(since).toSorted()).toEqual([
        `${CALLERS.ClusterAPI}: create`,
        `${CALLERS.ClusterAPI}: terminate`,
      ]);
      expect(cluster.living().filter((id) => before.includes(id))).toHaveLength(1);
      expect(cluster.living()).not.toContain(victim.spec?.providerID?.split('/').at(-1));
    });

    it('hands machines that it has created to Machine API with their instances', async () => {
      const [instances, since] = [cluster.living(), cluster.cloud.log.length];
      await cluster.ask('MachineAPI');
      await cluster.settled({ machines: 2, authority: 'MachineAPI' });
      expect(cluster.living()).toEqual(instances);
      expect(cluster.changesSince(since)).toEqual([]);
    });
  },
);
