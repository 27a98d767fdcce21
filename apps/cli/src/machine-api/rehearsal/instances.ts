/** The cloud of a copy: exactly the instances that the machines of both APIs name. Pure. */
import type { KubeObject } from '@capstan/meta';
import { snapshotOf } from '@capstan/simulation';
import type { MachinesState } from '@capstan/simulation';
import { instanceIdOf, OWNER_TAG } from '@capstan/upstream';
import type { CloudPlatform, Instance, InstanceAddress } from '@capstan/upstream';

interface Machine extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: { readonly addresses?: readonly InstanceAddress[]; readonly nodeRef?: { readonly name?: string } };
}

const NODES = { group: '', plural: 'nodes', namespaced: false } as const;
/** What objects do not contain of their instance. */
const UNKNOWN = {
  type: 'copied',
  image: 'copied',
  region: '',
  zone: '',
  userData: '',
  caller: '',
  launchedAt: 0,
  state: 'running',
} as const;
/** Of both copies of a machine one instance. */
export function instancesOf(
  objects: readonly KubeObject[],
  nodes: readonly KubeObject[],
  platform: CloudPlatform,
): MachinesState {
  const instances = new Map<string, Instance>();
  for (const machine of objects.filter(({ kind }) => kind === 'Machine') as readonly Machine[]) {
    const id = machine.spec?.providerID ?? '';
    if (id !== '' && !instances.has(id)) instances.set(id, instanceOf(machine, id, platform));
  }
  return {
    cloud: { instances: [...instances.values()], launched: instances.size },
    guest: snapshotOf(nodes.map((object) => ({ resource: NODES, object }))),
  };
}

function instanceOf({ metadata, status }: Machine, providerId: string, platform: CloudPlatform): Instance {
  const { name = '', uid = '' } = metadata;
  return {
    ...UNKNOWN,
    platform,
    token: uid,
    name,
    tags: { [OWNER_TAG]: uid, Name: name },
    id: instanceIdOf(providerId),
    providerId,
    addresses: status?.addresses ?? [],
    hostname: status?.nodeRef?.name ?? name,
  };
}
