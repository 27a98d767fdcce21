import { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { Cloud, clusterApiOperator, infrastructureOperator } from '@capstan/upstream';
import { coreResource, isTrue, NAMESPACES } from '@capstan/upstream/cluster-api';
import type { Machine } from '@capstan/upstream/cluster-api';
import { Guests } from '../guests/guests.js';
import { joinNodes } from '../cluster-api/testing/guest-nodes.js';
import { operatorProcess } from '../runtime/process.js';
import { Simulation } from '../engine/simulation.js';
import { CLUSTER, clusterApiSnapshot, clusterObjects, machineDeployment } from './cluster-api-objects.js';
import { createAll } from './create-all.js';
import { collectorProcess } from './processes.js';
import { namespace } from './resources.js';

/** Clusters with machines, in a simulation without faults. */
export interface SimulatedFleet {
  readonly simulation: Simulation;
  /** Machines that are ready now. */
  readonly readyMachines: () => Promise<number>;
}

/** Begins as many clusters as asked for, each with a MachineDeployment of so many machines. */
export async function simulateFleet(clusters: number, machinesEach: number): Promise<SimulatedFleet> {
  const simulation = new Simulation({ seed: 1, snapshot: await clusterApiSnapshot() });
  const clock = simulation.timeline.clock();
  const random = simulation.random.split('fleet');
  const cloud = new Cloud({ clock, random: random.split('cloud') });
  const guests = new Guests({ clock, random: random.split('guests'), isSimulated: true });
  // Instances of AWS are grouped by the namespace of their machine.
  joinNodes({
    cloud,
    clock,
    random: random.split('nodes'),
    guestOf: ({ group = '' }) => guests.ensure(group, CLUSTER),
  });
  simulation.spawn(operatorProcess(clusterApiOperator, { servers: guests.known }));
  simulation.spawn(operatorProcess(infrastructureOperator(cloud), { args: ['--platform=aws'] }));
  simulation.spawn(collectorProcess());
  const client = new Client(simulation.server, { clock, random: random.split('client') });
  for (let at = 0; at < clusters; at += 1) {
    const home = `clusters-${at}`;
    const objects = [...clusterObjects(guests.ensure(home, CLUSTER)), machineDeployment('workers', machinesEach)];
    await client.create(NAMESPACES, namespace(home));
    await createAll(
      client,
      objects.map((object) => within(home, object)),
    );
  }
  const readyMachines = async (): Promise<number> => {
    const { items } = await client.list<Machine>(coreResource('Machine', 'v1beta2'));
    return items.filter((machine) => isTrue(machine, 'Ready')).length;
  };
  return { simulation, readyMachines };
}

function within(home: string, object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace: home } };
}
