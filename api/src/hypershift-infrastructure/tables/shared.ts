// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, Schema } from '../../model/index.js';
import { array, boolean, condition, int32, named, object, optional, string } from '../../model/index.js';

const powerVsResourceReferenceShape = object({ id: optional(string({ maxLength: 255 })), name: optional(string({ maxLength: 255 })) });

/** A value of the shape PowerVSResourceReference. */
export interface PowerVSResourceReference extends Infer<typeof powerVsResourceReferenceShape> {}

/** The shape PowerVSResourceReference. */
export const powerVsResourceReference: Schema<PowerVSResourceReference> = named('PowerVSResourceReference', powerVsResourceReferenceShape);

const apiEndpointShape = object({ host: string({ maxLength: 255, minLength: 1 }), port: int32({ maximum: 65535, minimum: 1 }) });

/** A value of the shape APIEndpoint. */
export interface APIEndpoint extends Infer<typeof apiEndpointShape> {}

/** The shape APIEndpoint. */
export const apiEndpoint: Schema<APIEndpoint> = named('APIEndpoint', apiEndpointShape);

const objectReferenceShape = object(
  {
    apiVersion: optional(string()),
    fieldPath: optional(string()),
    kind: optional(string()),
    name: optional(string()),
    namespace: optional(string()),
    resourceVersion: optional(string()),
    uid: optional(string()),
  },
  { mapType: 'atomic' },
);

/** A value of the shape ObjectReference. */
export interface ObjectReference extends Infer<typeof objectReferenceShape> {}

/** The shape ObjectReference. */
export const objectReference: Schema<ObjectReference> = named('ObjectReference', objectReferenceShape);

const kubevirtCredentialsShape = object({
  infraKubeConfigSecret: optional(object(
    { key: string({ maxLength: 255 }), name: string({ maxLength: 255 }) },
    { rules: [{ message: 'infraKubeConfigSecret is immutable', rule: 'self == oldSelf' }] },
  )),
  infraNamespace: string({ maxLength: 255, rules: [{ message: 'infraNamespace is immutable', rule: 'self == oldSelf' }] }),
});

/** A value of the shape KubevirtCredentials. */
export interface KubevirtCredentials extends Infer<typeof kubevirtCredentialsShape> {}

/** The shape KubevirtCredentials. */
export const kubevirtCredentials: Schema<KubevirtCredentials> = named('KubevirtCredentials', kubevirtCredentialsShape);

const hostedClusterStatusShape = object({
  apiEndpoint: optional(apiEndpoint),
  conditions: optional(array(condition, { maxItems: 100, listMapKeys: ['type'], listType: 'map' })),
  ready: boolean(),
});

/** A value of the shape HostedClusterStatus. */
export interface HostedClusterStatus extends Infer<typeof hostedClusterStatusShape> {}

/** The shape HostedClusterStatus. */
export const hostedClusterStatus: Schema<HostedClusterStatus> = named('HostedClusterStatus', hostedClusterStatusShape);

const openStackNetworkShape = object(
  {
    filter: optional(object(
      {
        description: optional(string({ maxLength: 255 })),
        name: optional(string({ maxLength: 255 })),
        notTags: optional(array(
          string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
          { maxItems: 50, listType: 'set' },
        )),
        notTagsAny: optional(array(
          string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
          { maxItems: 50, listType: 'set' },
        )),
        projectID: optional(string({ maxLength: 255 })),
        tags: optional(array(
          string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
          { maxItems: 50, listType: 'set' },
        )),
        tagsAny: optional(array(
          string({ maxLength: 255, minLength: 1, pattern: '^[^,]+$' }),
          { maxItems: 50, listType: 'set' },
        )),
      },
      { minProperties: 1 },
    )),
    id: optional(string({ format: 'uuid', maxLength: 36 })),
  },
  { maxProperties: 1, minProperties: 1 },
);

/** A value of the shape OpenStackNetwork. */
export interface OpenStackNetwork extends Infer<typeof openStackNetworkShape> {}

/** The shape OpenStackNetwork. */
export const openStackNetwork: Schema<OpenStackNetwork> = named('OpenStackNetwork', openStackNetworkShape);

const nodePoolStatusShape = object({
  conditions: optional(array(condition, { maxItems: 100, listMapKeys: ['type'], listType: 'map' })),
  machineTemplateRef: optional(objectReference),
  ready: boolean(),
});

/** A value of the shape NodePoolStatus. */
export interface NodePoolStatus extends Infer<typeof nodePoolStatusShape> {}

/** The shape NodePoolStatus. */
export const nodePoolStatus: Schema<NodePoolStatus> = named('NodePoolStatus', nodePoolStatusShape);
