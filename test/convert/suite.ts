import { kinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { isAlreadyExists, isNotFound } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Fixture } from '../runtime/fixture.js';
import { DEFINITIONS } from './converter.js';
import { describeClusterApi } from './scenarios.js';
import { eventually } from '../src/wait.js';

/** Without the webhook they are published with: the test names its own. */
const definitions = kinds.map((kind) => crd(kind, { conversion: 'none' }) as unknown as KubeObject);

/** Another suite on the same server may have left a CRD that is not quite gone. */
async function install({ client }: Fixture): Promise<void> {
  for (const definition of definitions) {
    await eventually(`${definition.metadata.name} is created`, () =>
      client.create(DEFINITIONS, definition).catch((error: unknown) => {
        if (isAlreadyExists(error)) return undefined;
        throw error;
      }),
    );
  }
}

/** Deletes the CRDs, and leaves the server when they are gone. */
async function uninstall({ client }: Fixture): Promise<void> {
  const names = definitions.map(({ metadata }) => metadata.name ?? '');
  for (const name of names) await client.delete(DEFINITIONS, name);
  for (const name of names) {
    await eventually(`${name} is gone`, () =>
      client.get(DEFINITIONS, name).then(
        () => undefined,
        (error: unknown) => {
          if (isNotFound(error)) return true;
          throw error;
        },
      ),
    );
  }
}

/** Cluster API is stored in one version and served in two, by our converter. */
export function describeConversion(name: string, connect: () => Promise<Transport>): void {
  describe(`Cluster API on ${name}`, () => {
    let fixture: Fixture | undefined;
    beforeAll(async () => {
      fixture = await Fixture.create(await connect());
      await install(fixture);
    });
    afterAll(async () => {
      if (fixture === undefined) return;
      await uninstall(fixture);
      await fixture.end();
    });

    it('is stored in v1beta2 and served in v1beta1', async () => {
      if (fixture === undefined) throw new Error('the server did not start');
      await describeClusterApi(fixture);
    });
  });
}
