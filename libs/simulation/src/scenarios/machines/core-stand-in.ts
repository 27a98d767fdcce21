import { sleep } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { createMergePatch, ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { InfrastructurePlatform } from '@capstan/upstream';
import { isInfrastructureReady, kindOf } from '@capstan/upstream/infrastructure';
import type { Cluster, InfrastructureMachine, Machine } from '@capstan/upstream/infrastructure';
import type { ProcessDefinition } from '../../engine/process.js';
import { CLUSTERS, HOME, MACHINE_FINALIZER, MACHINES, NODES } from './objects.js';

interface Node extends KubeObject {
  readonly spec?: { readonly providerID?: string };
}

const EVERY_MS = 5_000;
const AT_HOME = { namespace: HOME };

/** As much of Cluster API as copies what providers and nodes report to Machines, and back. It has no faults. */
export function coreStandIn(row: InfrastructurePlatform, guest: Client): ProcessDefinition {
  return {
    name: 'cluster-api',
    isReliable: true,
    start: async ({ client, clock, signal }) => {
      do {
        await carryClusters(client, row);
        await carryMachines(client, guest, row);
      } while ((await sleep(clock, EVERY_MS, signal)) === 'elapsed');
    },
  };
}

async function carryClusters(client: Client, row: InfrastructurePlatform): Promise<void> {
  const kind = kindOf(row, 'Cluster');
  for (const cluster of (await client.list<Cluster>(CLUSTERS, AT_HOME)).items) {
    const name = cluster.spec?.infrastructureRef?.name ?? '';
    const infra = await client.get<InfrastructureMachine>(kind, name, AT_HOME).catch(ignoreNotFound);
    if (infra !== undefined && isProvisioned(infra) && !isInfrastructureReady(cluster))
      await patchStatus(client, cluster, { initialization: { infrastructureProvisioned: true } });
  }
}

function isProvisioned({ status }: InfrastructureMachine): boolean {
  return status?.ready === true || status?.initialization?.provisioned === true;
}

async function carryMachines(client: Client, guest: Client, row: InfrastructurePlatform): Promise<void> {
  const kind = kindOf(row, 'Machine');
  const nodes = (await guest.list<Node>(NODES)).items;
  for (const machine of (await client.list<Machine>(MACHINES, AT_HOME)).items) {
    const { deletionTimestamp, name = '' } = machine.metadata;
    const infra = await client.get<InfrastructureMachine>(kind, name, AT_HOME).catch(ignoreNotFound);
    if (deletionTimestamp != null) await carryEnd({ client, guest, row }, machine, infra);
    else if (infra !== undefined) await patchStatus(client, machine, carried(infra, nodes));
  }
}

/** What a Machine takes over from its infrastructure and its node. */
function carried({ spec, status }: InfrastructureMachine, nodes: readonly Node[]): object {
  const id = spec?.providerID;
  const node = id === undefined ? undefined : nodes.find((each) => each.spec?.providerID === id);
  const nodeRef = node === undefined ? {} : { nodeRef: { name: node.metadata.name ?? '' } };
  return { addresses: status?.addresses ?? [], ...nodeRef };
}

interface Ends {
  readonly client: Client;
  readonly guest: Client;
  readonly row: InfrastructurePlatform;
}

async function carryEnd({ client, guest, row }: Ends, machine: KubeObject, infra?: KubeObject): Promise<void> {
  const { name = '' } = machine.metadata;
  if (infra !== undefined) {
    if (infra.metadata.deletionTimestamp == null) await client.delete(kindOf(row, 'Machine'), name, AT_HOME);
    return;
  }
  const { nodeRef } = (machine['status'] ?? {}) as { nodeRef?: { name: string } };
  if (nodeRef !== undefined) await guest.delete(NODES, nodeRef.name).catch(ignoreNotFound);
  const finalizers = machine.metadata.finalizers?.filter((each) => each !== MACHINE_FINALIZER) ?? [];
  await client.patch(MACHINES, name, { type: 'merge', value: { metadata: { finalizers } } }, AT_HOME);
}

async function patchStatus(client: Client, object: KubeObject, status: object): Promise<void> {
  const before = (object['status'] ?? {}) as object;
  const value = createMergePatch({ status: before }, { status: { ...before, ...status } });
  if (Object.keys(value).length === 0) return;
  const resource = object.kind === 'Cluster' ? CLUSTERS : MACHINES;
  const options = { ...AT_HOME, subresource: 'status' } as const;
  await client.patch(resource, object.metadata.name ?? '', { type: 'merge', value }, options);
}
