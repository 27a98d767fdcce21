import { boundedName, hashBytes } from '@capstan/hosting';
import { canonicalJson } from '@capstan/meta';

/** Names are those of HyperShift, so that its tools find our objects. */

const MOST_OF_A_NAME = 253;
const MOST_OF_A_LABEL = 43;

export const USER_DATA_PREFIX = 'user-data-';
export const TOKEN_PREFIX = 'token-';

/** The Secret an instance starts with. */
export function userDataName(pool: string, hash: string): string {
  return `${USER_DATA_PREFIX}${pool}-${hash}`;
}

/** The Secret with the token that the Secret of an instance carries. */
export function tokenName(pool: string, hash: string): string {
  return `${TOKEN_PREFIX}${pool}-${hash}`;
}

/** Key and value of the label that all machines of a pool have, and no others. */
export function resourceLabel(infraID: string, cluster: string, pool: string): string {
  return boundedName(`${infraID}-${cluster}`, pool, MOST_OF_A_LABEL);
}

/**
 * The name of the template of machines with a spec. Another spec is another name, and so another generation of machines.
 * HyperShift hashes the JSON of its encoder, in the order of its structs; here keys are in order of their bytes, so the
 * rule is the same and the digits differ.
 */
export function templateName(pool: string, named: unknown): string {
  return boundedName(pool, hashBytes(new TextEncoder().encode(canonicalJson(named))), MOST_OF_A_NAME);
}

/** The MachineHealthCheck of machines that the cloud may take back. */
export function interruptibleCheckName(pool: string): string {
  return `${pool}-spot`;
}

/** The ConfigMap with the tuning of a pool. */
export function tunedName(pool: string): string {
  return `tuned-${pool}`;
}

/** The ConfigMap with the performance profile that a user gave under a name. */
export function profileName(name: string, pool: string): string {
  return boundedName(name, pool, 63);
}
