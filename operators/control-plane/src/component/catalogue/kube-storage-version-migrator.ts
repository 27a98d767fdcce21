import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';

/** Rewrites stored objects in the current storage version. */
export const kubeStorageVersionMigrator: ComponentDefinition = guestOperator('kube-storage-version-migrator', {
  image: 'kube-storage-version-migrator',
  command: ['migrator'],
  args: ['--alsologtostderr', '--v=2', `--kubeconfig=${GUEST_KUBECONFIG}`],
  memory: '200Mi',
});
