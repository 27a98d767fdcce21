import { changedOutsideStatus } from '@capstan/kube';
import { compareVersionPriority, deepEqual, Recent } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { CORE_GROUP } from '../names.js';
import type { FailureDomain } from '../types.js';
import { pluralOf } from '../plural.js';

/** A contract between core and providers. */
export type ContractVersion = 'v1beta1' | 'v1beta2';

/** Which contract a kind of a provider keeps, and in which of its versions. */
export interface Contract {
  readonly contract: ContractVersion;
  readonly version: string;
}

const CONTRACTS: readonly ContractVersion[] = ['v1beta2', 'v1beta1'];

const REMEMBERED_KINDS = 256;
/** The plurals of kinds, which are asked for with every object that is read. */
const plurals = new Recent<string, string>(REMEMBERED_KINDS);

/** The name of the CRD of a kind. */
export function definitionName(group: string, kind: string): string {
  let plural = plurals.get(kind);
  if (plural === undefined) plurals.set(kind, (plural = pluralOf(kind.toLowerCase())));
  return `${plural}.${group}`;
}

/** The newest contract the labels of a definition name, with its newest version; undefined when they name none. */
export function contractOf(labels: Readonly<Record<string, string>> | undefined): Contract | undefined {
  for (const contract of CONTRACTS) {
    const versions = labels?.[`${CORE_GROUP}/${contract}`] ?? '';
    const [version] = versions.split('_').toSorted(compareVersionPriority);
    if (version !== undefined && version !== '') return { contract, version };
  }
  return undefined;
}

/** A CRD that keeps no contract we know. */
export class MissingContract extends Error {
  override readonly name = 'MissingContract';

  constructor(definition: string) {
    super(
      `cannot find any versions matching contract versions [${CONTRACTS.map((each) => `"${each}"`).join(' ')}] for CRD ` +
        `${definition} as contract version label(s) are either missing or empty`,
    );
  }
}

/** The status fields that any contract version defines; a provider may have others. */
const STATUS_FIELDS = [
  'addresses',
  'availableReplicas',
  'conditions',
  'dataSecretName',
  'deprecated',
  'externalManagedControlPlane',
  'failureDomain',
  'failureDomains',
  'failureMessage',
  'failureReason',
  'initialization',
  'initialized',
  'interruptible',
  'readyReplicas',
  'ready',
  'replicas',
  'unavailableReplicas',
  'upToDateReplicas',
  'updatedReplicas',
  'v1beta2',
  'version',
] as const;

/** Whether an update of a provider's object changes anything that core reads. */
export function isContractChange(old: KubeObject, now: KubeObject): boolean {
  if (changedOutsideStatus({ type: 'update', old, object: now }) || !deepEqual(old['spec'], now['spec'])) return true;
  const before = (old['status'] ?? {}) as JsonObject;
  const after = (now['status'] ?? {}) as JsonObject;
  return STATUS_FIELDS.some((field) => !deepEqual(before[field], after[field]));
}

function at(object: KubeObject | undefined, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) value = typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined;
  return value;
}

function flag(object: KubeObject, path: readonly string[]): boolean {
  return at(object, path) === true;
}

function text(object: KubeObject | undefined, path: readonly string[]): string | undefined {
  const value = at(object, path);
  return typeof value === 'string' ? value : undefined;
}

function count(object: KubeObject, path: readonly string[]): number | undefined {
  const value = at(object, path);
  return typeof value === 'number' ? value : undefined;
}

/** Whether infrastructure, of a cluster or a machine, is there. */
export function isProvisioned(object: KubeObject, contract: ContractVersion): boolean {
  return flag(object, contract === 'v1beta1' ? ['status', 'ready'] : ['status', 'initialization', 'provisioned']);
}

/** Whether the bootstrap data has been made. */
export function isDataSecretCreated(object: KubeObject, contract: ContractVersion): boolean {
  return flag(object, contract === 'v1beta1' ? ['status', 'ready'] : ['status', 'initialization', 'dataSecretCreated']);
}

/** Whether the control plane can be talked to. */
export function isControlPlaneInitialized(object: KubeObject, contract: ContractVersion): boolean {
  return flag(
    object,
    contract === 'v1beta1' ? ['status', 'initialized'] : ['status', 'initialization', 'controlPlaneInitialized'],
  );
}

/** Whether the control plane is externally managed, so that it has no machines. */
export function isExternallyManaged(object: KubeObject): boolean {
  return flag(object, ['status', 'externalManagedControlPlane']);
}

export const dataSecretName = (object: KubeObject): string | undefined => text(object, ['status', 'dataSecretName']);
export const providerIdOf = (object: KubeObject | undefined): string | undefined =>
  text(object, ['spec', 'providerID']);
export const failureOf = (object: KubeObject): { reason: string; message: string } => ({
  reason: text(object, ['status', 'failureReason']) ?? '',
  message: text(object, ['status', 'failureMessage']) ?? '',
});
export const isInterruptible = (object: KubeObject): boolean => flag(object, ['status', 'interruptible']);
export const specFailureDomain = (object: KubeObject): string | undefined => text(object, ['spec', 'failureDomain']);
export const statusFailureDomain = (object: KubeObject): string | undefined =>
  text(object, ['status', 'failureDomain']);
export const specVersion = (object: KubeObject): string | undefined => text(object, ['spec', 'version']);
export const statusVersion = (object: KubeObject): string | undefined => text(object, ['status', 'version']);

/** The addresses of a machine, where its provider names any. */
export function addressesOf(object: KubeObject): { type: string; address: string }[] | undefined {
  const value = at(object, ['status', 'addresses']);
  return Array.isArray(value) ? (value as { type: string; address: string }[]) : undefined;
}

/** Where the API server of a cluster is, once its provider knows. */
export function endpointOf(object: KubeObject): { host?: string; port?: number } | undefined {
  const value = at(object, ['spec', 'controlPlaneEndpoint']) as { host?: string; port?: number } | undefined;
  if (value === undefined) return undefined;
  const { host, port } = value;
  return { ...(host ? { host } : {}), ...(port ? { port } : {}) };
}

/** The failure domains of a cluster by name; undefined where its provider names none. */
export function failureDomainsOf(object: KubeObject, contract: ContractVersion): FailureDomain[] | undefined {
  const value = at(object, ['status', 'failureDomains']);
  if (typeof value !== 'object' || value === null) return undefined;
  const domains: FailureDomain[] =
    contract === 'v1beta1'
      ? Object.entries(value as Record<string, Omit<FailureDomain, 'name'>>).map(([name, each]) => ({ name, ...each }))
      : (value as FailureDomain[]);
  return domains
    .map(({ name, controlPlane = false, attributes }) => ({
      name,
      controlPlane,
      ...(attributes === undefined ? {} : { attributes }),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** How many machines a control plane wants and has. */
export function controlPlaneReplicas(
  object: KubeObject,
  contract: ContractVersion,
): Record<
  'desiredReplicas' | 'replicas' | 'readyReplicas' | 'availableReplicas' | 'upToDateReplicas',
  number | undefined
> {
  const desiredReplicas = count(object, ['spec', 'replicas']);
  const unavailable = count(object, ['status', 'unavailableReplicas']);
  const isOld = contract === 'v1beta1';
  const oldAvailable =
    desiredReplicas === undefined || unavailable === undefined ? undefined : Math.max(desiredReplicas - unavailable, 0);
  return {
    desiredReplicas,
    replicas: count(object, ['status', 'replicas']),
    readyReplicas: count(object, ['status', 'readyReplicas']),
    availableReplicas: isOld ? oldAvailable : count(object, ['status', 'availableReplicas']),
    upToDateReplicas: count(object, ['status', isOld ? 'updatedReplicas' : 'upToDateReplicas']),
  };
}
