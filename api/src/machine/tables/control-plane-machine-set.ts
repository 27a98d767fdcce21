// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  array,
  condition,
  gated,
  int32,
  int64,
  kind,
  map,
  named,
  object,
  optional,
  string,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { labelRequirement, machineSpec } from './shared.js';

const controlPlaneMachineSetStatusShape = object(
  {
    authoritativeAPI: gated(
      'MachineAPIMigration',
      optional(string({
        enum: ['MachineAPI', 'ClusterAPI', 'Migrating'],
        rules: [
          {
            rule: "self == 'Migrating' || self == oldSelf || oldSelf == 'Migrating'",
            message: 'The authoritativeAPI field must not transition directly from MachineAPI to ClusterAPI or vice versa. It must transition through Migrating.',
          },
        ],
      })),
    ),
    conditions: optional(array(condition, { listMapKeys: ['type'], listType: 'map' })),
    observedGeneration: optional(int64()),
    readyReplicas: optional(int32()),
    replicas: optional(int32()),
    synchronizedAPI: gated('MachineAPIMigration', optional(string({ enum: ['MachineAPI', 'ClusterAPI'] }))),
    synchronizedGeneration: gated('MachineAPIMigration', optional(int64({ minimum: 0 }))),
    unavailableReplicas: optional(int32()),
    updatedReplicas: optional(int32()),
  },
  {
    gated: {
      MachineAPIMigration: {
        rules: [
          {
            fieldPath: '.synchronizedGeneration',
            message: 'synchronizedGeneration must not decrease unless authoritativeAPI is transitioning from Migrating to another value',
            reason: 'FieldValueInvalid',
            rule: "!has(oldSelf.synchronizedGeneration) || (has(self.synchronizedGeneration) && self.synchronizedGeneration >= oldSelf.synchronizedGeneration) || (oldSelf.authoritativeAPI == 'Migrating' && self.authoritativeAPI != 'Migrating')",
          },
          {
            message: 'authoritativeAPI may not be removed once set',
            rule: 'has(self.authoritativeAPI) || !has(oldSelf.authoritativeAPI)',
          },
        ],
      },
    },
  },
);

/** A value of the shape ControlPlaneMachineSetStatus. */
export interface ControlPlaneMachineSetStatus extends Infer<typeof controlPlaneMachineSetStatusShape> {}

/** The shape ControlPlaneMachineSetStatus. */
export const controlPlaneMachineSetStatus: Schema<ControlPlaneMachineSetStatus> = named('ControlPlaneMachineSetStatus', controlPlaneMachineSetStatusShape);

const failureDomainsShape = object(
  {
    aws: optional(array(
      object(
        {
          placement: optional(object({ availabilityZone: string() })),
          subnet: optional(object(
            {
              arn: optional(string()),
              filters: optional(array(
                object({ name: string(), values: optional(array(string(), { listType: 'atomic' })) }),
                { listType: 'atomic' },
              )),
              id: optional(string()),
              type: string({ enum: ['ID', 'ARN', 'Filters'] }),
            },
            {
              rules: [
                {
                  message: 'id is required when type is ID, and forbidden otherwise',
                  rule: "has(self.type) && self.type == 'ID' ?  has(self.id) : !has(self.id)",
                },
                {
                  message: 'arn is required when type is ARN, and forbidden otherwise',
                  rule: "has(self.type) && self.type == 'ARN' ?  has(self.arn) : !has(self.arn)",
                },
                {
                  message: 'filters is required when type is Filters, and forbidden otherwise',
                  rule: "has(self.type) && self.type == 'Filters' ?  has(self.filters) : !has(self.filters)",
                },
              ],
            },
          )),
        },
        { minProperties: 1 },
      ),
      { listType: 'atomic' },
    )),
    azure: optional(array(
      object({
        subnet: optional(string({ maxLength: 80, pattern: '^[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9_])?$' })),
        zone: string(),
      }),
      { listType: 'atomic' },
    )),
    gcp: optional(array(object({ zone: string() }), { listType: 'atomic' })),
    nutanix: optional(array(
      object({ name: string({ maxLength: 64, minLength: 1, pattern: '[a-z0-9]([-a-z0-9]*[a-z0-9])?' }) }),
      { listMapKeys: ['name'], listType: 'map' },
    )),
    openstack: optional(array(
      object(
        {
          availabilityZone: optional(string({ maxLength: 63, minLength: 1, pattern: '^[^: ]*$' })),
          rootVolume: optional(object({
            availabilityZone: optional(string({ maxLength: 63, minLength: 1, pattern: '^[^ ]*$' })),
            volumeType: string({ maxLength: 255, minLength: 1 }),
          })),
        },
        {
          minProperties: 1,
          rules: [
            {
              message: 'rootVolume.availabilityZone is required when availabilityZone is set',
              rule: '!has(self.availabilityZone) || !has(self.rootVolume) || has(self.rootVolume.availabilityZone)',
            },
          ],
        },
      ),
      { listType: 'atomic' },
    )),
    platform: string({
      enum: [
        '',
        'AWS',
        'Azure',
        'BareMetal',
        'GCP',
        'Libvirt',
        'OpenStack',
        'None',
        'VSphere',
        'oVirt',
        'IBMCloud',
        'KubeVirt',
        'EquinixMetal',
        'PowerVS',
        'AlibabaCloud',
        'Nutanix',
        'External',
      ],
    }),
    vsphere: optional(array(object({ name: string() }), { listMapKeys: ['name'], listType: 'map' })),
  },
  {
    rules: [
      {
        message: 'aws configuration is required when platform is AWS, and forbidden otherwise',
        rule: "has(self.platform) && self.platform == 'AWS' ?  has(self.aws) : !has(self.aws)",
      },
      {
        message: 'azure configuration is required when platform is Azure, and forbidden otherwise',
        rule: "has(self.platform) && self.platform == 'Azure' ?  has(self.azure) : !has(self.azure)",
      },
      {
        message: 'gcp configuration is required when platform is GCP, and forbidden otherwise',
        rule: "has(self.platform) && self.platform == 'GCP' ?  has(self.gcp) : !has(self.gcp)",
      },
      {
        message: 'openstack configuration is required when platform is OpenStack, and forbidden otherwise',
        rule: "has(self.platform) && self.platform == 'OpenStack' ?  has(self.openstack) : !has(self.openstack)",
      },
      {
        message: 'vsphere configuration is required when platform is VSphere, and forbidden otherwise',
        rule: "has(self.platform) && self.platform == 'VSphere' ?  has(self.vsphere) : !has(self.vsphere)",
      },
      {
        message: 'nutanix configuration is required when platform is Nutanix, and forbidden otherwise',
        rule: "has(self.platform) && self.platform == 'Nutanix' ?  has(self.nutanix) : !has(self.nutanix)",
      },
    ],
  },
);

/** A value of the shape FailureDomains. */
export interface FailureDomains extends Infer<typeof failureDomainsShape> {}

/** The shape FailureDomains. */
export const failureDomains: Schema<FailureDomains> = named('FailureDomains', failureDomainsShape);

const controlPlaneMachineSetTemplateShape = object(
  {
    machineType: string({
      enum: ['machines_v1beta1_machine_openshift_io'],
      gated: {
        MachineAPIMigration: { enum: ['machines_v1beta1_machine_openshift_io', 'machines_v1beta2_cluster_x_k8s_io'] },
      },
    }),
    machines_v1beta1_machine_openshift_io: optional(object({
      failureDomains: optional(failureDomains),
      metadata: object({
        annotations: optional(map(string())),
        labels: map(
          string(),
          {
            rules: [
              {
                message: "label 'machine.openshift.io/cluster-api-machine-role' is required, and must have value 'master'",
                rule: "'machine.openshift.io/cluster-api-machine-role' in self && self['machine.openshift.io/cluster-api-machine-role'] == 'master'",
              },
              {
                message: "label 'machine.openshift.io/cluster-api-machine-type' is required, and must have value 'master'",
                rule: "'machine.openshift.io/cluster-api-machine-type' in self && self['machine.openshift.io/cluster-api-machine-type'] == 'master'",
              },
              {
                message: "label 'machine.openshift.io/cluster-api-cluster' is required",
                rule: "'machine.openshift.io/cluster-api-cluster' in self",
              },
            ],
          },
        ),
      }),
      spec: machineSpec,
    })),
    machines_v1beta2_cluster_x_k8s_io: gated(
      'MachineAPIMigration',
      optional(object({
        failureDomains: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100, listType: 'atomic' })),
        metadata: object({ annotations: optional(map(string())), labels: map(string()) }),
        spec: object({
          bootstrap: optional(object({ dataSecretName: optional(string({ maxLength: 253, minLength: 1 })) })),
          clusterName: string({ maxLength: 63, minLength: 1 }),
          deletion: optional(object({ nodeDeletionTimeoutSeconds: optional(int32({ minimum: 0 })) })),
          failureDomain: optional(string({ maxLength: 256, minLength: 1 })),
          infrastructureRef: object({
            apiGroup: string({ maxLength: 253, minLength: 1 }),
            kind: string({ maxLength: 63, minLength: 1 }),
            name: string({ maxLength: 253, minLength: 1 }),
          }),
          taints: optional(array(
            object({
              effect: string({ enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] }),
              key: string({ maxLength: 317, minLength: 1 }),
              propagation: string({ enum: ['Always', 'OnInitialization'] }),
              value: optional(string({ maxLength: 63 })),
            }),
            { maxItems: 64, listType: 'atomic' },
          )),
        }),
      })),
    ),
  },
  {
    rules: [
      {
        message: 'machines_v1beta1_machine_openshift_io configuration is required when machineType is machines_v1beta1_machine_openshift_io, and forbidden otherwise',
        rule: "has(self.machineType) && self.machineType == 'machines_v1beta1_machine_openshift_io' ?  has(self.machines_v1beta1_machine_openshift_io) : !has(self.machines_v1beta1_machine_openshift_io)",
      },
    ],
    gated: {
      MachineAPIMigration: {
        rules: [
          {
            message: 'machines_v1beta1_machine_openshift_io configuration is required when machineType is machines_v1beta1_machine_openshift_io, and forbidden otherwise',
            rule: "has(self.machineType) && self.machineType == 'machines_v1beta1_machine_openshift_io' ?  has(self.machines_v1beta1_machine_openshift_io) : !has(self.machines_v1beta1_machine_openshift_io)",
          },
          {
            message: 'machines_v1beta2_cluster_x_k8s_io configuration is required when machineType is machines_v1beta2_cluster_x_k8s_io, and forbidden otherwise',
            rule: "has(self.machineType) && self.machineType == 'machines_v1beta2_cluster_x_k8s_io' ?  has(self.machines_v1beta2_cluster_x_k8s_io) : !has(self.machines_v1beta2_cluster_x_k8s_io)",
          },
        ],
      },
    },
  },
);

/** A value of the shape ControlPlaneMachineSetTemplate. */
export interface ControlPlaneMachineSetTemplate extends Infer<typeof controlPlaneMachineSetTemplateShape> {}

/** The shape ControlPlaneMachineSetTemplate. */
export const controlPlaneMachineSetTemplate: Schema<ControlPlaneMachineSetTemplate> = named('ControlPlaneMachineSetTemplate', controlPlaneMachineSetTemplateShape);

const controlPlaneMachineSetSpecShape = object({
  authoritativeAPI: gated('MachineAPIMigration', optional(string({ enum: ['MachineAPI', 'ClusterAPI'] }))),
  machineNamePrefix: optional(string({
    maxLength: 245,
    minLength: 1,
    rules: [
      {
        message: "a lowercase RFC 1123 subdomain must consist of lowercase alphanumeric characters, hyphens ('-'), and periods ('.'). Each block, separated by periods, must start and end with an alphanumeric character. Hyphens are not allowed at the start or end of a block, and consecutive periods are not permitted.",
        rule: '!format.dns1123Subdomain().validate(self).hasValue()',
      },
    ],
  })),
  replicas: int32({ default: 3, enum: [3, 5], rules: [{ message: 'replicas is immutable', rule: 'self == oldSelf' }] }),
  selector: object(
    {
      matchExpressions: optional(array(labelRequirement, { listType: 'atomic' })),
      matchLabels: optional(map(string())),
    },
    { mapType: 'atomic', rules: [{ message: 'selector is immutable', rule: 'self == oldSelf' }] },
  ),
  state: optional(string({
    default: 'Inactive',
    enum: ['Active', 'Inactive'],
    rules: [{ message: 'state cannot be changed once Active', rule: "oldSelf != 'Active' || self == oldSelf" }],
  })),
  strategy: optional(object(
    { type: optional(string({ default: 'RollingUpdate', enum: ['RollingUpdate', 'OnDelete'] })) },
    { default: { type: 'RollingUpdate' } },
  )),
  template: controlPlaneMachineSetTemplate,
});

/** A value of the shape ControlPlaneMachineSetSpec. */
export interface ControlPlaneMachineSetSpec extends Infer<typeof controlPlaneMachineSetSpecShape> {}

/** The shape ControlPlaneMachineSetSpec. */
export const controlPlaneMachineSetSpec: Schema<ControlPlaneMachineSetSpec> = named('ControlPlaneMachineSetSpec', controlPlaneMachineSetSpecShape);

/** The kind ControlPlaneMachineSet. */
export const controlPlaneMachineSet = kind({
  group: 'machine.openshift.io',
  kind: 'ControlPlaneMachineSet',
  plural: 'controlplanemachinesets',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1',
      storage: true,
      columns: [
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Current', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        { name: 'Updated', type: 'integer', jsonPath: '.status.updatedReplicas' },
        { name: 'Unavailable', type: 'integer', jsonPath: '.status.unavailableReplicas' },
        { name: 'State', type: 'string', jsonPath: '.spec.state' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: {
        status: true,
        scale: {
          labelSelectorPath: '.status.labelSelector',
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
        },
      },
      schema: object(
        { spec: optional(controlPlaneMachineSetSpec), status: optional(controlPlaneMachineSetStatus) },
        {
          gated: {
            MachineAPIMigration: {
              rules: [
                {
                  message: 'authoritativeAPI may not be removed once set',
                  rule: '!has(oldSelf.status) || !has(oldSelf.status.authoritativeAPI) || has(self.status)',
                },
              ],
            },
          },
        },
      ),
    },
  ],
});

/** ControlPlaneMachineSet in `machine.openshift.io/v1`. */
export type ControlPlaneMachineSet = KindOf<typeof controlPlaneMachineSet, 'v1'>;
