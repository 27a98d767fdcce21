import type { KubeObject } from '@capstan/meta';

/** On the pods of a workload: the UID of their account, where that was made anew after the workload. */
export const ACCOUNT_UID_ANNOTATION = 'capstan.dev/service-account-uid';

/**
 * Which account the pods of a workload are to be of; undefined while that is the one they began with. Tokens are bound to the
 * UID of an account: one of the same name that is made later is another, and whoever holds a token of the old one is nobody until
 * the kubelet asks for the next, which may take most of an hour. Another annotation makes other pods, which ask at once.
 */
export function accountUid(account: KubeObject | undefined, workload: KubeObject | undefined): string | undefined {
  const made = account?.metadata.creationTimestamp ?? '';
  const since = workload?.metadata.creationTimestamp ?? '';
  return made === '' || since === '' || made <= since ? undefined : account?.metadata.uid;
}
