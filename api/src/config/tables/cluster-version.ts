// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  array,
  boolean,
  condition,
  gated,
  int64,
  kind,
  named,
  nullable,
  object,
  optional,
  string,
  time,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { operatorCondition } from './shared.js';

const clusterConditionShape = object({ promql: optional(object({ promql: string() })), type: string({ enum: ['Always', 'PromQL'] }) });

/** A value of the shape ClusterCondition. */
export interface ClusterCondition extends Infer<typeof clusterConditionShape> {}

/** The shape ClusterCondition. */
export const clusterCondition: Schema<ClusterCondition> = named('ClusterCondition', clusterConditionShape);

const releaseShape = object({
  architecture: optional(string({ enum: ['Multi', ''] })),
  channels: optional(array(string(), { listType: 'set' })),
  image: string(),
  url: optional(string()),
  version: string(),
});

/** A value of the shape Release. */
export interface Release extends Infer<typeof releaseShape> {}

/** The shape Release. */
export const release: Schema<Release> = named('Release', releaseShape);

const updateHistoryShape = object({
  acceptedRisks: optional(string()),
  completionTime: nullable(time()),
  image: string(),
  startedTime: time(),
  state: string(),
  verified: boolean(),
  version: optional(string()),
});

/** A value of the shape UpdateHistory. */
export interface UpdateHistory extends Infer<typeof updateHistoryShape> {}

/** The shape UpdateHistory. */
export const updateHistory: Schema<UpdateHistory> = named('UpdateHistory', updateHistoryShape);

const updateShape = object(
  {
    acceptRisks: gated(
      'TechPreviewNoUpgrade',
      optional(array(
        object({ name: string({ maxLength: 256, minLength: 1 }) }),
        { maxItems: 1000, minItems: 1, listMapKeys: ['name'], listType: 'map' },
      )),
    ),
    architecture: optional(string({ enum: ['Multi', ''] })),
    force: optional(boolean()),
    image: optional(string()),
    version: optional(string()),
  },
  {
    rules: [
      {
        message: 'cannot set both Architecture and Image',
        rule: 'has(self.architecture) && has(self.image) ? (self.architecture == "" || self.image == "") : true',
      },
      {
        message: 'Version must be set if Architecture is set',
        rule: 'has(self.architecture) && self.architecture != "" ? self.version != "" : true',
      },
    ],
  },
);

/** A value of the shape Update. */
export interface Update extends Infer<typeof updateShape> {}

/** The shape Update. */
export const update: Schema<Update> = named('Update', updateShape);

const conditionalUpdateShape = object({
  conditions: optional(array(condition, { listMapKeys: ['type'], listType: 'map' })),
  release: release,
  riskNames: gated(
    'TechPreviewNoUpgrade',
    optional(array(string({ maxLength: 256 }), { maxItems: 500, minItems: 1, listType: 'set' })),
  ),
  risks: array(
    object({
      conditions: gated(
        'TechPreviewNoUpgrade',
        optional(array(
          condition,
          {
            maxItems: 8,
            minItems: 1,
            listMapKeys: ['type'],
            listType: 'map',
            rules: [
              {
                message: "must contain a condition of type 'Applies'",
                rule: "self.exists_one(x, x.type == 'Applies')",
              },
            ],
          },
        )),
      ),
      matchingRules: array(clusterCondition, { minItems: 1, listType: 'atomic' }),
      message: string({ minLength: 1 }),
      name: string({ minLength: 1 }),
      url: string({ format: 'uri', minLength: 1 }),
    }),
    { maxItems: 200, minItems: 1, listMapKeys: ['name'], listType: 'map' },
  ),
});

/** A value of the shape ConditionalUpdate. */
export interface ConditionalUpdate extends Infer<typeof conditionalUpdateShape> {}

/** The shape ConditionalUpdate. */
export const conditionalUpdate: Schema<ConditionalUpdate> = named('ConditionalUpdate', conditionalUpdateShape);

const clusterVersionSpecShape = object({
  capabilities: optional(object({
    additionalEnabledCapabilities: optional(array(
      string({
        enum: [
          'openshift-samples',
          'baremetal',
          'marketplace',
          'Console',
          'Insights',
          'Storage',
          'CSISnapshot',
          'NodeTuning',
          'MachineAPI',
          'Build',
          'DeploymentConfig',
          'ImageRegistry',
          'OperatorLifecycleManager',
          'CloudCredential',
          'Ingress',
          'CloudControllerManager',
          'OperatorLifecycleManagerV1',
        ],
        gated: {
          TechPreviewNoUpgrade: {
            enum: [
              'openshift-samples',
              'baremetal',
              'marketplace',
              'Console',
              'Insights',
              'Storage',
              'CSISnapshot',
              'NodeTuning',
              'MachineAPI',
              'Build',
              'DeploymentConfig',
              'ImageRegistry',
              'OperatorLifecycleManager',
              'CloudCredential',
              'Ingress',
              'CloudControllerManager',
              'OperatorLifecycleManagerV1',
              'CompatibilityRequirements',
              'ClusterAPI',
            ],
          },
        },
      }),
      { listType: 'atomic' },
    )),
    baselineCapabilitySet: optional(string({ enum: ['None', 'v4.11', 'v4.12', 'v4.13', 'v4.14', 'v4.15', 'v4.16', 'v4.17', 'v4.18', 'vCurrent'] })),
  })),
  channel: optional(string()),
  clusterID: string(),
  desiredUpdate: optional(update),
  overrides: optional(array(
    object({ group: string(), kind: string(), name: string(), namespace: string(), unmanaged: boolean() }),
    { listMapKeys: ['kind', 'group', 'namespace', 'name'], listType: 'map' },
  )),
  signatureStores: gated(
    'TechPreviewNoUpgrade',
    optional(array(
      object({
        ca: optional(object({ name: string() })),
        url: string({ rules: [{ message: 'url must be a valid absolute URL', rule: 'isURL(self)' }] }),
      }),
      { maxItems: 32, listMapKeys: ['url'], listType: 'map' },
    )),
  ),
  upstream: optional(string()),
});

/** A value of the shape ClusterVersionSpec. */
export interface ClusterVersionSpec extends Infer<typeof clusterVersionSpecShape> {}

/** The shape ClusterVersionSpec. */
export const clusterVersionSpec: Schema<ClusterVersionSpec> = named('ClusterVersionSpec', clusterVersionSpecShape);

const clusterVersionStatusShape = object({
  availableUpdates: nullable(array(release, { listType: 'atomic' })),
  capabilities: optional(object({
    enabledCapabilities: optional(array(
      string({
        enum: [
          'openshift-samples',
          'baremetal',
          'marketplace',
          'Console',
          'Insights',
          'Storage',
          'CSISnapshot',
          'NodeTuning',
          'MachineAPI',
          'Build',
          'DeploymentConfig',
          'ImageRegistry',
          'OperatorLifecycleManager',
          'CloudCredential',
          'Ingress',
          'CloudControllerManager',
          'OperatorLifecycleManagerV1',
        ],
        gated: {
          TechPreviewNoUpgrade: {
            enum: [
              'openshift-samples',
              'baremetal',
              'marketplace',
              'Console',
              'Insights',
              'Storage',
              'CSISnapshot',
              'NodeTuning',
              'MachineAPI',
              'Build',
              'DeploymentConfig',
              'ImageRegistry',
              'OperatorLifecycleManager',
              'CloudCredential',
              'Ingress',
              'CloudControllerManager',
              'OperatorLifecycleManagerV1',
              'CompatibilityRequirements',
              'ClusterAPI',
            ],
          },
        },
      }),
      { listType: 'atomic' },
    )),
    knownCapabilities: optional(array(
      string({
        enum: [
          'openshift-samples',
          'baremetal',
          'marketplace',
          'Console',
          'Insights',
          'Storage',
          'CSISnapshot',
          'NodeTuning',
          'MachineAPI',
          'Build',
          'DeploymentConfig',
          'ImageRegistry',
          'OperatorLifecycleManager',
          'CloudCredential',
          'Ingress',
          'CloudControllerManager',
          'OperatorLifecycleManagerV1',
        ],
        gated: {
          TechPreviewNoUpgrade: {
            enum: [
              'openshift-samples',
              'baremetal',
              'marketplace',
              'Console',
              'Insights',
              'Storage',
              'CSISnapshot',
              'NodeTuning',
              'MachineAPI',
              'Build',
              'DeploymentConfig',
              'ImageRegistry',
              'OperatorLifecycleManager',
              'CloudCredential',
              'Ingress',
              'CloudControllerManager',
              'OperatorLifecycleManagerV1',
              'CompatibilityRequirements',
              'ClusterAPI',
            ],
          },
        },
      }),
      { listType: 'atomic' },
    )),
  })),
  conditionalUpdateRisks: gated(
    'TechPreviewNoUpgrade',
    optional(array(
      object({
        conditions: optional(array(
          condition,
          {
            maxItems: 8,
            minItems: 1,
            listMapKeys: ['type'],
            listType: 'map',
            rules: [
              {
                message: "must contain a condition of type 'Applies'",
                rule: "self.exists_one(x, x.type == 'Applies')",
              },
            ],
          },
        )),
        matchingRules: array(clusterCondition, { minItems: 1, listType: 'atomic' }),
        message: string({ minLength: 1 }),
        name: string({ minLength: 1 }),
        url: string({ format: 'uri', minLength: 1 }),
      }),
      { maxItems: 500, minItems: 1, listMapKeys: ['name'], listType: 'map' },
    )),
  ),
  conditionalUpdates: optional(array(conditionalUpdate, { maxItems: 500, listType: 'atomic' })),
  conditions: optional(array(operatorCondition, { listMapKeys: ['type'], listType: 'map' })),
  desired: release,
  history: optional(array(updateHistory, { listType: 'atomic' })),
  observedGeneration: int64(),
  versionHash: string(),
});

/** A value of the shape ClusterVersionStatus. */
export interface ClusterVersionStatus extends Infer<typeof clusterVersionStatusShape> {}

/** The shape ClusterVersionStatus. */
export const clusterVersionStatus: Schema<ClusterVersionStatus> = named('ClusterVersionStatus', clusterVersionStatusShape);

/** The kind ClusterVersion. */
export const clusterVersion = kind({
  group: 'config.openshift.io',
  kind: 'ClusterVersion',
  plural: 'clusterversions',
  scope: 'Cluster',
  meanings: meanings,
  versions: [
    {
      name: 'v1',
      storage: true,
      columns: [
        { name: 'Version', type: 'string', jsonPath: '.status.history[?(@.state=="Completed")].version' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'Progressing', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].status' },
        { name: 'Since', type: 'date', jsonPath: '.status.conditions[?(@.type=="Progressing")].lastTransitionTime' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].message' },
      ],
      subresources: { status: true },
      schema: object(
        { spec: clusterVersionSpec, status: optional(clusterVersionStatus) },
        {
          rules: [
            {
              message: 'the `marketplace` capability requires the `OperatorLifecycleManager` capability, which is neither explicitly or implicitly enabled in this cluster, please enable the `OperatorLifecycleManager` capability',
              rule: "has(self.spec.capabilities) && has(self.spec.capabilities.additionalEnabledCapabilities) && self.spec.capabilities.baselineCapabilitySet == 'None' && 'marketplace' in self.spec.capabilities.additionalEnabledCapabilities ? 'OperatorLifecycleManager' in self.spec.capabilities.additionalEnabledCapabilities || (has(self.status) && has(self.status.capabilities) && has(self.status.capabilities.enabledCapabilities) && 'OperatorLifecycleManager' in self.status.capabilities.enabledCapabilities) : true",
            },
          ],
          gated: {
            TechPreviewNoUpgrade: {
              rules: [
                {
                  message: 'the `marketplace` capability requires the `OperatorLifecycleManager` capability, which is neither explicitly or implicitly enabled in this cluster, please enable the `OperatorLifecycleManager` capability',
                  rule: "has(self.spec.capabilities) && has(self.spec.capabilities.additionalEnabledCapabilities) && self.spec.capabilities.baselineCapabilitySet == 'None' && 'marketplace' in self.spec.capabilities.additionalEnabledCapabilities ? 'OperatorLifecycleManager' in self.spec.capabilities.additionalEnabledCapabilities || (has(self.status) && has(self.status.capabilities) && has(self.status.capabilities.enabledCapabilities) && 'OperatorLifecycleManager' in self.status.capabilities.enabledCapabilities) : true",
                },
                {
                  message: 'the `ClusterAPI` capability requires the `CompatibilityRequirements` capability, which is neither explicitly or implicitly enabled in this cluster, please enable the `CompatibilityRequirements` capability',
                  rule: "has(self.spec.capabilities) && has(self.spec.capabilities.additionalEnabledCapabilities) && 'ClusterAPI' in self.spec.capabilities.additionalEnabledCapabilities ? 'CompatibilityRequirements' in self.spec.capabilities.additionalEnabledCapabilities || (has(self.status) && has(self.status.capabilities) && has(self.status.capabilities.enabledCapabilities) && 'CompatibilityRequirements' in self.status.capabilities.enabledCapabilities) : true",
                },
              ],
            },
          },
        },
      ),
    },
  ],
});

/** ClusterVersion in `config.openshift.io/v1`. */
export type ClusterVersion = KindOf<typeof clusterVersion, 'v1'>;
