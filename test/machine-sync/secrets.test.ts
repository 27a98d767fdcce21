import { CAPI_MACHINE_SETS, CLUSTER_API_NAMESPACE, MAPI_MACHINE_SETS } from '@capstan/machine-api';
import { setAt } from '@capstan/convert';
import type { KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineSetObject } from '@capstan/simulation';
import { afterEach, expect, it } from 'vitest';
import { isGone, SECRETS, SyncFixture } from '@capstan/tools/handover';

interface Secret extends KubeObject {
  data?: Record<string, string>;
}

let fixture: SyncFixture;
afterEach(() => fixture.end());

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const NAME = 'infra-user-data';

it('copies the user data of a set of its own to Cluster API, follows it, and deletes it with the last user', async () => {
  fixture = await SyncFixture.create();
  const userData = base64('{"ignition":{"version":"3.2.0"}}');
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: NAME, namespace: MACHINE_API_NAMESPACE },
    data: { userData },
  };
  await fixture.client.create(SECRETS, secret);
  const set = machineSetObject('infra', 1);
  setAt(set, ['spec', 'template', 'spec', 'providerSpec', 'value', 'userDataSecret'], { name: NAME });
  await fixture.client.create(MAPI_MACHINE_SETS, set);
  const copy = (): Promise<Secret | undefined> => fixture.find<Secret>(SECRETS, NAME, CLUSTER_API_NAMESPACE);
  const first = await fixture.until('the copy', copy);
  expect(first.data).toEqual({ value: userData, format: base64('ignition') });

  const changed = base64('{"ignition":{"version":"3.4.0"}}');
  const patch = { type: 'merge', value: { data: { userData: changed } } } as const;
  await fixture.client.patch(SECRETS, NAME, patch, { namespace: MACHINE_API_NAMESPACE });
  await fixture.until('the change', async () => (await copy())?.data?.['value'] === changed);

  await fixture.client.delete(MAPI_MACHINE_SETS, 'infra', { namespace: MACHINE_API_NAMESPACE });
  await fixture.until('both sets are gone', () =>
    isGone(fixture.client.get(CAPI_MACHINE_SETS, 'infra', { namespace: CLUSTER_API_NAMESPACE })),
  );
  await fixture.until('the copy is gone', () =>
    isGone(fixture.client.get(SECRETS, NAME, { namespace: CLUSTER_API_NAMESPACE })),
  );
  expect((await fixture.find<Secret>(SECRETS, NAME, MACHINE_API_NAMESPACE))?.data?.['userData']).toBe(changed);
});
