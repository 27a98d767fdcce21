import { HostingPlatforms } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';
import { clusterObjects, hostedSimulation, poolObject } from '@capstan/tools/hosting';
import { Subject } from './scenario.js';

/** Operators, the stand-ins they run with, and the objects they created, in virtual time. */
export type HostedSimulation = Awaited<ReturnType<typeof hostedSimulation>>;

/** Long enough for every controller to have resynced. */
const REST_MS = 600_000;

/** A hosted cluster with one pool, `pool`, of one node, which has come to rest. */
export async function settledCluster(platform: HostingPlatform, name: string): Promise<HostedSimulation> {
  const hosted = await hostedSimulation(new HostingPlatforms([platform]));
  const [image = ''] = hosted.images;
  await hosted.apply([
    ...clusterObjects(platform, name, image),
    poolObject(platform, { name: 'pool', cluster: name, image }, { replicas: 1 }),
  ]);
  const subject = new Subject(hosted, platform, name);
  await subject.available();
  await subject.nodes(1);
  await hosted.simulation.runUntil(hosted.elapsed + REST_MS);
  return hosted;
}
