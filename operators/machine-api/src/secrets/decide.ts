/** Secrets that both APIs read, each in its own namespace and form: which copy follows which. Pure. */
import type { JsonObject } from '@capstan/meta';
import { changeTo } from '@capstan/kube';
import type { Change } from '@capstan/kube';
import { SECRETS } from '../kinds.js';
import { bootstrapData, userData } from './user-data.js';
import type { Secret } from './user-data.js';

/** On a copy: namespace and name of the Secret it follows. A Secret without it belongs to its user. */
export const SOURCE_ANNOTATION = 'machine.openshift.io/copied-from';
const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';

/** What the copies of user data are decided by. */
export interface UserDataInputs {
  readonly name: string;
  readonly namespaces: { readonly machineApi: string; readonly clusterApi: string };
  readonly clusterName: string;
  readonly mapi?: Secret | undefined;
  readonly capi?: Secret | undefined;
  /** Whether a machine or a set that has both copies names it. */
  readonly isReferenced: boolean;
}

/** The writes, or why there can be none. */
export interface SecretDecision {
  readonly changes: readonly Change[];
  /** Why a copy that is needed cannot be written. */
  readonly problem?: string | undefined;
}

const NOTHING: SecretDecision = { changes: [] };

/** Whether the Secret is a copy of ours. */
export function isCopy({ metadata }: Secret): boolean {
  return metadata.annotations?.[SOURCE_ANNOTATION] !== undefined;
}

/** The Secret without the annotation is the source; of two such Secrets neither follows the other. */
export function decideUserData(inputs: UserDataInputs): SecretDecision {
  const { capi, isReferenced, mapi } = inputs;
  const sources = [mapi, capi].filter((each) => each !== undefined && !isCopy(each));
  if (!isReferenced) return { changes: unwanted(inputs) };
  const [source] = sources;
  if (source === undefined || sources.length > 1) return NOTHING;
  const isForward = source === mapi;
  const data = isForward ? bootstrapData(source) : userData(source);
  const { clusterApi, machineApi } = inputs.namespaces;
  const [from, to] = isForward ? [machineApi, clusterApi] : [clusterApi, machineApi];
  if (data === undefined) {
    const key = isForward ? 'userData' : 'value';
    return { changes: [], problem: `Secret ${from}/${inputs.name} has no key ${key}: nothing can be copied to ${to}` };
  }
  const copy = { name: inputs.name, from: `${from}/${inputs.name}`, namespace: to, clusterName: inputs.clusterName };
  return { changes: copyTo(isForward ? capi : mapi, copy, data) };
}

/** A copy that nothing needs any more; what users wrote stays. */
function unwanted({ capi, mapi }: UserDataInputs): readonly Change[] {
  return [mapi, capi]
    .filter((each) => each !== undefined && isCopy(each) && each.metadata.deletionTimestamp == null)
    .map((object) => ({ verb: 'delete', kind: SECRETS, object: object as Secret }));
}

interface Copy {
  readonly name: string;
  readonly namespace: string;
  /** Namespace and name of the source. */
  readonly from: string;
  readonly clusterName: string;
}

/** The write that gives a copy its data; none when it has them, or when the Secret of that name is a user's. */
function copyTo(existing: Secret | undefined, copy: Copy, data: NonNullable<Secret['data']>): readonly Change[] {
  if (existing !== undefined && !isCopy(existing)) return [];
  const metadata = {
    ...existing?.metadata,
    name: copy.name,
    namespace: copy.namespace,
    labels: { ...existing?.metadata.labels, [CLUSTER_LABEL]: copy.clusterName },
    annotations: { ...existing?.metadata.annotations, [SOURCE_ANNOTATION]: copy.from },
  };
  const desired: Secret = { apiVersion: 'v1', kind: 'Secret', ...existing, metadata, data };
  return changeTo(SECRETS, existing, desired);
}

/** A Secret with credentials of the cloud, as the platform's controllers of Cluster API read it. */
export interface CredentialsInputs extends Copy {
  readonly source?: Secret | undefined;
  readonly existing?: Secret | undefined;
  /** Keys of the source by those of the copy; all as they are when absent. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
}

/** Credentials go one way: from the Secret that Machine API uses. */
export function decideCredentials({ existing, keys, source, ...copy }: CredentialsInputs): SecretDecision {
  if (source === undefined || (existing !== undefined && !isCopy(existing))) return NOTHING;
  const found: JsonObject = source.data ?? {};
  const data = Object.entries(keys ?? Object.fromEntries(Object.keys(found).map((key) => [key, key])));
  const missing = data.filter(([, key]) => found[key] === undefined).map(([, key]) => key);
  if (missing.length > 0)
    return { changes: [], problem: `Secret ${copy.from} has no key ${missing.join(', ')}: cannot copy credentials` };
  const values = Object.fromEntries(data.map(([to, key]) => [to, found[key] as string]));
  return { changes: copyTo(existing, copy, values) };
}
