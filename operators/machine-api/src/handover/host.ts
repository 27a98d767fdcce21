/** The host of a machine on bare metal names the object that uses it: the controllers of one API alone find theirs. Pure. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { deepEqual } from '@capstan/meta';
import { recordAt } from '../shared/model.js';
import type { Authority } from '../shared/model.js';
import type { Inputs } from '../resource/inputs.js';

/** Whom a host names: a side of the machine, nobody (also where there is no host), or another machine. */
export type HostConsumer = Authority | 'none' | 'other';

type Copies = Pick<Inputs, 'child' | 'host' | 'mapi'>;

function referenceTo({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): JsonObject {
  return { apiVersion, kind, name, namespace };
}

const groupOf = (apiVersion: unknown): string =>
  typeof apiVersion === 'string' ? (apiVersion.split('/')[0] ?? '') : '';

/** Versions may differ: the same object is meant. */
function isSame(named: JsonObject, object: KubeObject | undefined): boolean {
  if (object === undefined) return false;
  const { apiVersion, ...reference } = referenceTo(object);
  const { kind, name, namespace } = named;
  return deepEqual({ kind, name, namespace }, reference) && groupOf(named['apiVersion']) === groupOf(apiVersion);
}

/** Whom the host of the machine names. */
export function hostConsumer({ child, host, mapi }: Copies): HostConsumer {
  const named = recordAt(host, 'spec', 'consumerRef');
  if (named['name'] === undefined || named['name'] === '') return 'none';
  if (isSame(named, mapi)) return 'MachineAPI';
  return isSame(named, child) ? 'ClusterAPI' : 'other';
}

/** The host, naming the side that is to act; the very same when it does. */
export function withConsumer({ child, mapi }: Copies, host: KubeObject, to: Authority): KubeObject {
  const object = to === 'MachineAPI' ? mapi : child;
  if (object === undefined || isSame(recordAt(host, 'spec', 'consumerRef'), object)) return host;
  return { ...host, spec: { ...recordAt(host, 'spec'), consumerRef: referenceTo(object) } };
}
