import type { StoreSnapshot } from '@capstan/apiserver';
import type { ResourceKind } from '@capstan/kube';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { CONFIG_MAPS, kindOf, STANDARD } from '../fixture.js';
import { MigrationRun, NAMESPACE, prepareServer } from './scenario.js';

const AT = { namespace: NAMESPACE };
const SECRETS: ResourceKind = { ...CONFIG_MAPS, plural: 'secrets', kind: 'Secret' };

let snapshot: StoreSnapshot;
let run: MigrationRun;
beforeAll(async () => {
  snapshot = await prepareServer();
}, 60_000);
beforeEach(() => {
  run = new MigrationRun(snapshot);
});
afterEach(() => run.close());

const merge = (metadata: object) => ({ type: 'merge', value: { metadata } }) as const;

it('reports a machine that is deleted while its instance lives', async () => {
  const machines = kindOf(STANDARD, 'Machine');
  await run.fixture.client.patch(machines, 'workers-1', merge({ finalizers: null }), AT);
  await run.fixture.client.delete(machines, 'workers-1', AT);
  expect(run.history.violations).toEqual([
    expect.stringMatching(
      /Machine workers-1 .* leaves instance aws:\/\/\/us-east-1a\/i-0123456789 without a Machine$/u,
    ),
  ]);
});

it('reports an owner that does not exist', async () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'gone' };
  await run.fixture.client.patch(CONFIG_MAPS, 'owned', merge({ ownerReferences: [owner] }), AT);
  expect(run.history.violations[0]).toMatch(
    /ConfigMap owned .* refers to the owner ConfigMap x, which does not exist$/u,
  );
});

it('reports an object that has lost its owner', async () => {
  await run.fixture.client.patch(CONFIG_MAPS, 'owned', merge({ ownerReferences: null }), AT);
  expect(run.history.violations).toEqual([expect.stringMatching(/ConfigMap owned .* has lost its owner$/u)]);
});

it('reports a Secret that is deleted', async () => {
  await run.fixture.client.delete(SECRETS, 'owned', AT);
  expect(run.history.violations).toEqual([expect.stringMatching(/Secret owned .* is deleted$/u)]);
});
