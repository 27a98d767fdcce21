import type { KubeObject } from '@capstan/meta';
import { Client } from '@capstan/kube';
import { hasCondition, PLATFORMS, SIGNING_REQUESTS } from '@capstan/upstream';
import type { CloudPlatform, Contract, SigningRequest } from '@capstan/upstream';
import { kindOf } from '@capstan/upstream/infrastructure';
import type { InfrastructureMachine } from '@capstan/upstream/infrastructure';
import { expect, it } from 'vitest';
import { Simulation } from '../../engine/simulation.js';
import { createCluster, createMachine, HOME, MACHINES, machineSnapshot, NODES } from './objects.js';
import { machineFixture } from './fixture.js';

interface Node extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const NAMES = ['a', 'b', 'c'];
const MINUTE = 60_000;
const ALL = Object.keys(PLATFORMS).map((platform): [CloudPlatform, Contract] => [platform as CloudPlatform, 'v1beta1']);

it.each([...ALL, ['aws', 'v1beta2'] as [CloudPlatform, Contract]])(
  'three machines of %s become nodes and nothing again, in the contract %s',
  { timeout: 60_000 },
  async (platform, contract) => {
    const row = PLATFORMS[platform];
    const simulation = new Simulation({ seed: `${platform} ${contract}`, snapshot: await machineSnapshot([row]) });
    const fixture = machineFixture(simulation, { platform, contract });
    for (const process of fixture.processes) simulation.spawn(process);
    const client = new Client(simulation.server, {
      clock: simulation.timeline.clock(),
      random: simulation.random.split('test'),
    });
    await createCluster(client, row, fixture.guest.userData());
    for (const name of NAMES) await createMachine(client, row, name);

    await simulation.runUntil(5 * MINUTE);
    const infra = (await client.list<InfrastructureMachine>(kindOf(row, 'Machine'), { namespace: HOME })).items;
    const nodes = (await fixture.guestClient.list<Node>(NODES)).items;
    const ready = nodes.map(({ status }) => status?.conditions?.find(({ type }) => type === 'Ready')?.status);
    expect(ready).toEqual(['True', 'True', 'True']);
    expect(new Set(nodes.map(({ spec }) => spec?.providerID))).toEqual(
      new Set(infra.map(({ spec }) => spec?.providerID)),
    );
    for (const { metadata, status } of infra) {
      expect(metadata.finalizers).toEqual([row.machineFinalizer]);
      expect(contract === 'v1beta1' ? status?.ready : status?.initialization?.provisioned).toBe(true);
      const condition = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
      expect(condition).toBe(row.hasConditions === false ? undefined : 'True');
      expect(status?.addresses?.map(({ type }) => type)).toEqual(['InternalIP', 'InternalDNS', 'Hostname']);
    }
    // One for the client, one for the server of each node; all decided by the approver.
    const requests = (await fixture.guestClient.list<SigningRequest>(SIGNING_REQUESTS)).items;
    expect(requests).toHaveLength(2 * NAMES.length);
    expect(requests.every((each) => hasCondition(each, 'Approved') && each.status?.certificate !== undefined)).toBe(
      true,
    );

    for (const name of NAMES) await client.delete(MACHINES, name, { namespace: HOME });
    await simulation.runUntil(10 * MINUTE);
    expect((await client.list(MACHINES, { namespace: HOME })).items).toEqual([]);
    expect((await client.list(kindOf(row, 'Machine'), { namespace: HOME })).items).toEqual([]);
    expect((await fixture.guestClient.list(NODES)).items).toEqual([]);
    expect(fixture.cloud.instances.map(({ state }) => state)).toEqual(['terminated', 'terminated', 'terminated']);
    expect(simulation.log.events.filter(({ type }) => type === 'fail')).toEqual([]);
    simulation.end();
  },
);

it('an instance that runs before its machine reports that it boots is seen at once', { timeout: 60_000 }, async () => {
  const row = PLATFORMS.aws;
  const names = Array.from({ length: 40 }, (_, at) => `m${at}`);
  const simulation = new Simulation({ seed: 'quick boots', snapshot: await machineSnapshot([row]) });
  const timings = { boot: [0, 100], consistency: [0, 0] } as const;
  const fixture = machineFixture(simulation, { platform: 'aws', timings, hasNotices: true });
  for (const process of fixture.processes) simulation.spawn(process);
  const client = new Client(simulation.server, {
    clock: simulation.timeline.clock(),
    random: simulation.random.split('test'),
  });
  await createCluster(client, row, fixture.guest.userData());
  for (const name of names) await createMachine(client, row, name);

  await simulation.runUntil(15_000);
  const infra = (await client.list<InfrastructureMachine>(kindOf(row, 'Machine'), { namespace: HOME })).items;
  expect(fixture.cloud.instances.filter(({ state }) => state === 'running')).toHaveLength(names.length);
  expect(infra.filter(({ status }) => status?.ready !== true).map(({ metadata }) => metadata.name)).toEqual([]);
  simulation.end();
});
