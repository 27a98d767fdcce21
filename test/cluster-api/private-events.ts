import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { NAMESPACE } from '@capstan/simulation/testing';
import { expect } from 'vitest';
import { PRIVATE, resourceOf, STANDARD } from '../proxy/both-groups.js';

const EVENTS = { group: '', version: 'v1', plural: 'events', namespaced: true };

interface Event extends KubeObject {
  readonly reason: string;
  readonly involvedObject: { readonly apiVersion: string; readonly kind: string; readonly uid: string };
}

/** Those about kinds of Cluster API, by name. */
async function eventsOf(client: Client, fieldSelector?: string): Promise<Map<string, Event>> {
  const { items } = await client.list<Event>(EVENTS, { namespace: NAMESPACE, fieldSelector });
  const about = items.filter(({ involvedObject: { kind } }) => /^(?:Cluster|Machine)/.test(kind));
  return new Map(about.map((event) => [event.metadata.name ?? '', event]));
}

/** Sees that events are stored of private objects that are there, and that the proxy shows them as of standard ones. */
export async function expectEvents(client: Client, direct: Client): Promise<void> {
  const seen = await eventsOf(client);
  const stored = await eventsOf(direct);
  for (const [name, { involvedObject }] of seen)
    expect([involvedObject.apiVersion, stored.get(name)?.involvedObject]).toEqual([
      `${STANDARD}/v1beta2`,
      { ...involvedObject, apiVersion: `${PRIVATE}/v1beta2` },
    ]);
  const { items: deployments } = await direct.list(resourceOf(PRIVATE, 'machinedeployments'), { namespace: NAMESPACE });
  const uids = deployments.map(({ metadata }) => metadata.uid);
  const created = [...stored.values()].filter(
    ({ involvedObject, reason }) => involvedObject.kind === 'MachineDeployment' && reason === 'SuccessfulCreate',
  );
  expect(created.map(({ involvedObject }) => uids.includes(involvedObject.uid))).toContain(true);
  const selected = await eventsOf(client, `involvedObject.apiVersion=${STANDARD}/v1beta2`);
  expect([...selected.keys()]).toEqual(expect.arrayContaining([...seen.keys()]));
}
