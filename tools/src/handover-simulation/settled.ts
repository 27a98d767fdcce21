/** Whether machines rest with one authority. */
import type { Client } from '@capstan/kube';
import { MAPI_MACHINE_SETS, MAPI_MACHINES } from '@capstan/machine-api';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE } from '@capstan/simulation';
import { isLiving } from '@capstan/upstream';
import type { Cloud } from '@capstan/upstream';

/** The set of all machines. */
export const SET = 'workers';
const IN_MACHINE_API = { namespace: MACHINE_API_NAMESPACE };

/** An object of Machine API, as far as trials read it. */
export interface Mirrored extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly authoritativeAPI?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

/** How many machines there should be, and who should act on them; `mixed` is either. */
export interface Settled {
  readonly machines: number;
  readonly authority: string;
}

const conditionOf = (object: Mirrored, type: string): string | undefined =>
  object.status?.conditions?.find((each) => each.type === type)?.status;

/** What is missing until so many machines run, all with one authority, and both copies of each agree; empty: nothing. */
export async function unsettled(
  { client, cloud }: { readonly client: Client; readonly cloud: Cloud },
  { authority, machines }: Settled,
): Promise<string> {
  const isThere = (object: Mirrored): boolean => {
    const { authoritativeAPI = '' } = object.status ?? {};
    const isRight = authority === 'mixed' ? authoritativeAPI !== 'Migrating' : authoritativeAPI === authority;
    return isRight && conditionOf(object, 'Synchronized') === 'True';
  };
  const set = await client.get<Mirrored>(MAPI_MACHINE_SETS, SET, IN_MACHINE_API).catch(ignoreNotFound);
  const all = (await client.list<Mirrored>(MAPI_MACHINES, IN_MACHINE_API)).items;
  const open = [...(set === undefined ? [] : [set]), ...all].filter((each) => !isThere(each));
  const running = all.filter(({ status }) => status?.phase === 'Running').length;
  const phases = all.map(({ status }) => status?.phase ?? 'no phase').join(', ');
  const living = cloud.instances.filter(isLiving).length;
  const waits = open.map(({ kind, metadata, status }) => {
    const { authoritativeAPI, conditions = [] } = status ?? {};
    const reports = conditions.filter(({ type }) => ['AuthorityHandover', 'Synchronized'].includes(type));
    return `${kind} ${metadata.name} ${authoritativeAPI}: ${reports.map(({ message }) => message).join(', ')}`;
  });
  const isDone = open.length === 0 && all.length === machines && running === machines && living === machines;
  return isDone ? '' : `${all.length} machines (${phases}), ${living} instances; ${waits.join('; ')}`;
}
