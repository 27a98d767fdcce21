import { EventChannel } from '@capstan/kube';
import type { Manager, Reconcile, Request } from '@capstan/kube';
import { VALIDATING_WEBHOOKS } from '../kinds.js';
import { STATIC_CONFIGURATION } from '../names.js';

const STATIC_REQUEST: Request = { namespace: '', name: STATIC_CONFIGURATION };

/** Watches the static configuration: reconciled at the start, and whenever it changes or is deleted. */
export function watchStaticWebhook(manager: Manager, reconcile: Reconcile): void {
  const start = new EventChannel('start');
  start.send({ apiVersion: 'v1', kind: 'Start', metadata: { name: STATIC_CONFIGURATION } });
  manager
    .controller({ name: 'static-webhook', reconcile })
    .watches(VALIDATING_WEBHOOKS, ({ metadata }) => (metadata.name === STATIC_CONFIGURATION ? [STATIC_REQUEST] : []))
    .from(start, () => [STATIC_REQUEST]);
}
