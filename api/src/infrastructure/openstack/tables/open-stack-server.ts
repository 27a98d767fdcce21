// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  additionalBlockDevice,
  floatingIpPoolRef,
  identityRef,
  image,
  legacyCondition,
  machineAddress,
  network,
  port,
  resolved,
  rootVolume,
  schedulerHintAdditionalProperty,
  serverGroup,
  serverMetadata,
} from './shared.js';

const openStackServerStatusShape = object({
  addresses: optional(array(machineAddress)),
  conditions: optional(array(legacyCondition)),
  instanceID: optional(string()),
  instanceState: optional(string()),
  ready: boolean({ default: false }),
  resolved: optional(resolved),
  resources: optional(object({ ports: optional(array(object({ id: string() }))) })),
});

/** A value of the shape OpenStackServerStatus. */
export interface OpenStackServerStatus extends Infer<typeof openStackServerStatusShape> {}

/** The shape OpenStackServerStatus. */
export const openStackServerStatus: Schema<OpenStackServerStatus> = named('OpenStackServerStatus', openStackServerStatusShape);

const openStackServerSpecShape = object(
  {
    additionalBlockDevices: optional(array(additionalBlockDevice, { listMapKeys: ['name'], listType: 'map' })),
    availabilityZone: optional(string()),
    configDrive: optional(boolean()),
    flavor: optional(string({ minLength: 1 })),
    flavorID: optional(string({ minLength: 1 })),
    floatingIPPoolRef: optional(floatingIpPoolRef),
    identityRef: identityRef,
    image: image,
    ports: array(port),
    rootVolume: optional(rootVolume),
    schedulerHintAdditionalProperties: optional(array(schedulerHintAdditionalProperty, { listMapKeys: ['name'], listType: 'map' })),
    securityGroups: optional(array(network)),
    serverGroup: optional(serverGroup),
    serverMetadata: optional(array(serverMetadata, { listMapKeys: ['key'], listType: 'map' })),
    sshKeyName: string(),
    tags: optional(array(string(), { listType: 'set' })),
    trunk: optional(boolean()),
    userDataRef: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
  },
  {
    rules: [
      { message: 'at least one of flavor or flavorID must be set', rule: '(has(self.flavor) || has(self.flavorID))' },
    ],
  },
);

/** A value of the shape OpenStackServerSpec. */
export interface OpenStackServerSpec extends Infer<typeof openStackServerSpecShape> {}

/** The shape OpenStackServerSpec. */
export const openStackServerSpec: Schema<OpenStackServerSpec> = named('OpenStackServerSpec', openStackServerSpecShape);

/** The kind OpenStackServer. */
export const openStackServer = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'OpenStackServer',
  plural: 'openstackservers',
  shortNames: ['oss'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1alpha1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      columns: [
        { name: 'InstanceState', type: 'string', jsonPath: '.status.instanceState' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'InstanceID', type: 'string', jsonPath: '.status.instanceID' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(openStackServerSpec), status: optional(openStackServerStatus) }),
    },
  ],
});

/** OpenStackServer in `infrastructure.cluster.x-k8s.io/v1alpha1`. */
export type OpenStackServer = KindOf<typeof openStackServer, 'v1alpha1'>;
