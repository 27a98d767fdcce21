import type { JsonObject, KubeObject, Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { World } from '../runtime/world.js';
import { DEFINITIONS } from './converter.js';
import { tellOfClusterApi } from './stories.js';

function version(name: string, storage: boolean): JsonObject {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } };
  return { name, served: true, storage, schema, subresources: { status: {} } };
}

/** Just enough of a definition for the server to store one version and serve two. */
const machines: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'machines.cluster.x-k8s.io' },
  spec: {
    group: 'cluster.x-k8s.io',
    scope: 'Namespaced',
    names: { plural: 'machines', singular: 'machine', kind: 'Machine', listKind: 'MachineList' },
    versions: [version('v1beta1', false), version('v1beta2', true)],
  },
};

/** Cluster API is stored in one version and served in two, by our converter. */
export function tellClusterApi(name: string, connect: () => Promise<Transport>): void {
  describe(`Cluster API on ${name}`, () => {
    let world: World | undefined;
    beforeAll(async () => {
      world = await World.create(await connect());
      await world.client.create(DEFINITIONS, machines);
    });
    afterAll(async () => {
      await world?.client.delete(DEFINITIONS, machines.metadata.name ?? '');
      await world?.end();
    });

    it('is stored in v1beta2 and served in v1beta1', async () => {
      if (world === undefined) throw new Error('the server did not start');
      await tellOfClusterApi(world);
    });
  });
}
