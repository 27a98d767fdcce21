import { machine } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import type { KubeObject, Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { World } from '../runtime/world.js';
import { DEFINITIONS } from './converter.js';
import { tellOfClusterApi } from './stories.js';

/** Without the webhook it is published with: the test names its own. */
const machines = crd(machine, { conversion: 'none' }) as unknown as KubeObject;

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
