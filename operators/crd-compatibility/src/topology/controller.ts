import { EventChannel } from '@capstan/kube';
import type { Manager, Reconcile } from '@capstan/kube';
import { CHECKER_NAME } from '../names.js';

/** Reconciles the number of replicas at the start; the reconcile requeues itself. */
export function watchTopology(manager: Manager, reconcile: Reconcile): void {
  const start = new EventChannel('start');
  start.send({ apiVersion: 'v1', kind: 'Start', metadata: { name: CHECKER_NAME } });
  manager.controller({ name: 'topology', reconcile }).from(start, () => [{ namespace: '', name: CHECKER_NAME }]);
}
