import { kinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import type { KubeObject, Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { World } from '../runtime/world.js';
import { embeddedServer, overHttps } from '../src/conformance/backend.js';
import { DEFINITIONS } from './converter.js';
import { tellOfClusterApi } from './stories.js';

/** Without the webhook they are published with: the test names its own. */
const definitions = kinds.map((kind) => crd(kind, { conversion: 'none' }) as unknown as KubeObject);

describe.each<[string, () => Promise<Transport>]>([
  ['in process', () => Promise.resolve(embeddedServer())],
  ['behind TLS', async () => (await overHttps(embeddedServer())).transport],
])('Cluster API on the server %s', (_name, connect) => {
  let world: World | undefined;
  beforeAll(async () => {
    world = await World.create(await connect());
    for (const definition of definitions) await world.client.create(DEFINITIONS, definition);
  });
  afterAll(() => world?.end());

  it('is stored in v1beta2 and served in v1beta1', async () => {
    if (world === undefined) throw new Error('the server did not start');
    await tellOfClusterApi(world);
  });
});
