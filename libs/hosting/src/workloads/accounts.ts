import type { KubeObject } from '@capstan/meta';

/** On the pods of a workload: the UID of their ServiceAccount, where that was created again after the workload. */
export const ACCOUNT_UID_ANNOTATION = 'capstan.dev/service-account-uid';

/**
 * The UID of a ServiceAccount that was created after the workload whose pods use it; undefined when it is older. Tokens are
 * bound to the UID: when an account is deleted and created again, the tokens of running pods are invalid until the kubelet
 * requests new ones, which can take most of an hour. The UID as an annotation of the pod template replaces the pods at once.
 */
export function accountUid(account: KubeObject | undefined, workload: KubeObject | undefined): string | undefined {
  const created = account?.metadata.creationTimestamp ?? '';
  const since = workload?.metadata.creationTimestamp ?? '';
  return created === '' || since === '' || created <= since ? undefined : account?.metadata.uid;
}
