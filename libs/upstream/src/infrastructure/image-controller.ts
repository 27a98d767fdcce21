import { defineOperator, Manager, timestamp } from '@capstan/kube';
import type { ReconcileContext, Request, ResourceKind } from '@capstan/kube';
import { setCondition } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { fromCache } from './shared.js';

interface Image extends KubeObject {
  readonly status?: { readonly id?: string; readonly conditions?: readonly Condition[] };
}

const IMAGES: ResourceKind = {
  group: 'openstack.k-orc.cloud',
  version: 'v1alpha1',
  plural: 'images',
  namespaced: true,
  kind: 'Image',
};
const TEXTS = [
  { type: 'Available', status: 'True', message: 'OpenStack resource is available' },
  { type: 'Progressing', status: 'False', message: 'OpenStack resource is up to date' },
] as const;

/** Fetches the images that machines of OpenStack boot from: in a cloud that needs none, each is there at once. */
export const imageController = defineOperator({
  name: 'openstack-resource-controller',
  flags: { 'zap-log-level': 'string' },
  healthPort: 8081,
  build: ({ flags, options }) => {
    const { namespace = '' } = flags;
    const cache = namespace === '' ? {} : { cache: { selectionOf: () => ({ namespace }) } };
    const manager = new Manager({ ...options, ...cache });
    manager
      .controller({ name: 'image', reconcile: (request, context) => setAvailable(manager, request, context) })
      .for(IMAGES);
    return manager;
  },
});

async function setAvailable(manager: Manager, request: Request, { signal }: ReconcileContext): Promise<undefined> {
  const image = await fromCache<Image>({ manager }, IMAGES, request);
  if (image === undefined || image.metadata.deletionTimestamp !== undefined) return;
  const { generation: observedGeneration = 0, uid: id = '' } = image.metadata;
  const now = timestamp(manager.clock);
  const before = image.status?.conditions;
  const conditions = TEXTS.reduce<readonly Condition[] | undefined>(
    (so, text) => setCondition(so, { ...text, reason: 'Success', observedGeneration }, now),
    before,
  );
  if (conditions === before) return;
  const { name, namespace } = request;
  const value = { status: { id, conditions } };
  await manager.client.patch(IMAGES, name, { type: 'merge', value }, { namespace, subresource: 'status', signal });
}
