// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, condition, kind, named, nullable, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';

const featureGateSpecShape = object(
  {
    customNoUpgrade: optional(nullable(object({
      disabled: optional(array(string({ pattern: '^([A-Za-z0-9-]+\\.)*[A-Za-z0-9-]+\\.?$' }))),
      enabled: optional(array(string({ pattern: '^([A-Za-z0-9-]+\\.)*[A-Za-z0-9-]+\\.?$' }))),
    }))),
    featureSet: optional(string({
      enum: ['CustomNoUpgrade', 'DevPreviewNoUpgrade', 'TechPreviewNoUpgrade', 'OKD', ''],
      rules: [
        {
          message: 'CustomNoUpgrade may not be changed',
          rule: "oldSelf == 'CustomNoUpgrade' ? self == 'CustomNoUpgrade' : true",
        },
        {
          message: 'TechPreviewNoUpgrade may not be changed',
          rule: "oldSelf == 'TechPreviewNoUpgrade' ? self == 'TechPreviewNoUpgrade' : true",
        },
        {
          message: 'DevPreviewNoUpgrade may not be changed',
          rule: "oldSelf == 'DevPreviewNoUpgrade' ? self == 'DevPreviewNoUpgrade' : true",
        },
        { message: 'OKD cannot transition to Default', rule: "oldSelf == 'OKD' ? self != '' : true" },
      ],
    })),
  },
  {
    rules: [
      { message: '.spec.featureSet cannot be removed', rule: 'has(oldSelf.featureSet) ? has(self.featureSet) : true' },
    ],
  },
);

/** A value of the shape FeatureGateSpec. */
export interface FeatureGateSpec extends Infer<typeof featureGateSpecShape> {}

/** The shape FeatureGateSpec. */
export const featureGateSpec: Schema<FeatureGateSpec> = named('FeatureGateSpec', featureGateSpecShape);

const featureGateStatusShape = object({
  conditions: optional(array(condition, { listMapKeys: ['type'], listType: 'map' })),
  featureGates: optional(array(
    object({
      disabled: optional(array(object({ name: string({ pattern: '^([A-Za-z0-9-]+\\.)*[A-Za-z0-9-]+\\.?$' }) }))),
      enabled: optional(array(object({ name: string({ pattern: '^([A-Za-z0-9-]+\\.)*[A-Za-z0-9-]+\\.?$' }) }))),
      version: string(),
    }),
    { listMapKeys: ['version'], listType: 'map' },
  )),
});

/** A value of the shape FeatureGateStatus. */
export interface FeatureGateStatus extends Infer<typeof featureGateStatusShape> {}

/** The shape FeatureGateStatus. */
export const featureGateStatus: Schema<FeatureGateStatus> = named('FeatureGateStatus', featureGateStatusShape);

/** The kind FeatureGate. */
export const featureGate = kind({
  group: 'config.openshift.io',
  kind: 'FeatureGate',
  plural: 'featuregates',
  scope: 'Cluster',
  meanings: meanings,
  versions: [
    {
      name: 'v1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: featureGateSpec, status: optional(featureGateStatus) }),
    },
  ],
});

/** FeatureGate in `config.openshift.io/v1`. */
export type FeatureGate = KindOf<typeof featureGate, 'v1'>;
