import { kinds as requirementKinds } from '@capstan/api/apiextensions';
import { clusterOperator } from '@capstan/api/config';
import { crd } from '@capstan/api/model';
import { kinds as operatorKinds } from '@capstan/api/operator';
import { CAPI_OPERATOR_NAME, capiOperatorManifests, clusterApiObject } from '@capstan/capi-operator/manifests';
import { capiObservability } from '@capstan/capi-operator/observability';
import { SHIM_NAME, shimManifests } from '@capstan/conversion-shim/manifests';
import { shimObservability } from '@capstan/conversion-shim/observability';
import { CERT_SECRET, CHECKER_NAME, checkerManifests } from '@capstan/crd-compatibility/manifests';
import { checkerObservability } from '@capstan/crd-compatibility/observability';
import {
  DEFAULT_NAMESPACES,
  machineApiGuards,
  machineApiManifests,
  PROGRAM_NAME,
} from '@capstan/machine-api/manifests';
import type { MirroredPlural } from '@capstan/machine-api/manifests';
import { machineApiObservability } from '@capstan/machine-api/observability';
import type { KubeObject } from '@capstan/meta';
import { prometheusRule } from '@capstan/observability';
import type { Observability } from '@capstan/observability';
import type { SourceObject } from '@capstan/translate/mirror';
import { certificatesOf, HYPERSHIFT_NAMESPACE, hypershiftPlan, namespaceOf, observedWith } from './hypershift.js';
import { versioned } from './private-crds.js';

/** What may differ between installations of a component. */
export interface InstallSettings {
  readonly namespace: string;
  readonly image: string;
  /** What the operators of hosted clusters run, where that is not the command of the image. */
  readonly operator?: { readonly image: string; readonly env: Readonly<Record<string, string>> } | undefined;
  readonly version: string;
  readonly isSingleNode: boolean;
  readonly monitor: boolean;
  readonly hasOwnCa: boolean;
  readonly isPrivate: boolean;
  /** Of an operator on standard types for the HostedClusters of one scope, next to others. */
  readonly scope?: string | undefined;
  /** Whether nodes run native sidecars. */
  readonly native: boolean;
  /** Standard Cluster API CRDs to mirror; default: those that come with this program. */
  readonly sources?: readonly SourceObject[] | undefined;
  /** PEM in base64 by the name of the Secret; of own certificates that exist already. */
  readonly caBundles: Readonly<Record<string, string>>;
  /** Groups of the CRDs that the cluster has. */
  readonly groups: readonly string[];
  readonly runbookBase?: string | undefined;
  readonly platform?: string | undefined;
  readonly featureGates?: string | undefined;
  readonly releaseVersion?: string | undefined;
  /** Kinds of machines that both APIs serve with authority fields. Default: all. */
  readonly mirrored?: readonly MirroredPlural[] | undefined;
}

/** Objects that are applied in their order, and the Deployments of them that later stages need. */
export interface Stage {
  readonly objects: readonly KubeObject[];
  readonly deployments: readonly string[];
}

/** Everything that an installation consists of, in the order of applying; deleted in the opposite one. */
export interface Plan {
  /** CRDs that the component owns; they stay when it is uninstalled. */
  readonly definitions: readonly KubeObject[];
  /** CRDs of the platform that it needs: created where they are missing, and never changed or deleted. */
  readonly platformDefinitions: readonly KubeObject[];
  readonly stages: readonly Stage[];
  /** Created where they are missing and never changed: they are their users'. */
  readonly once: readonly KubeObject[];
  /** What the user should know. */
  readonly warnings?: readonly string[] | undefined;
}

/** A serving certificate: the Secret that contains it, and the Service that it is for. */
export interface Certificate {
  readonly secret: string;
  readonly service: string;
}

/** Something that can be installed. */
export interface Component {
  readonly name: ComponentName;
  readonly namespace: string;
  readonly plan: (settings: InstallSettings) => Plan | Promise<Plan>;
  readonly observed: (settings: InstallSettings) => readonly Observability[];
  readonly certificates: (settings: InstallSettings) => readonly Certificate[];
}

/** What `--component` takes, in the order of installing. */
export const COMPONENT_NAMES = [
  'crd-compatibility',
  'capi-operator',
  'machine-api',
  'conversion-shim',
  'hypershift',
] as const;
export type ComponentName = (typeof COMPONENT_NAMES)[number];

const definitionsOf = (kinds: readonly Parameters<typeof crd>[0][]): readonly KubeObject[] =>
  kinds.map((kind) => crd(kind) as unknown as KubeObject);

/** Everything that can be installed. */
export const COMPONENTS: Readonly<Record<ComponentName, Component>> = {
  'crd-compatibility': {
    name: 'crd-compatibility',
    namespace: 'openshift-compatibility-requirements-operator',
    plan: (settings) => ({
      definitions: definitionsOf(requirementKinds),
      platformDefinitions: [],
      stages: [
        {
          objects: [namespaceObject(settings.namespace, CHECKER_NAME), ...checkerManifests(settings)],
          deployments: [CHECKER_NAME],
        },
      ],
      once: [],
    }),
    observed: () => [checkerObservability],
    certificates: () => [{ secret: CERT_SECRET, service: CHECKER_NAME }],
  },
  'capi-operator': {
    name: 'capi-operator',
    namespace: 'openshift-cluster-api-operator',
    plan: (settings) => ({
      definitions: definitionsOf([...requirementKinds, ...operatorKinds]),
      // On OpenShift the cluster-version operator owns it: its fields must not be taken over.
      platformDefinitions: definitionsOf([clusterOperator]),
      stages: [{ objects: capiOperatorManifests(settings), deployments: [CAPI_OPERATOR_NAME] }],
      once: [clusterApiObject()],
    }),
    observed: () => [capiObservability],
    certificates: () => [],
  },
  'machine-api': {
    name: 'machine-api',
    namespace: DEFAULT_NAMESPACES.clusterApi,
    plan: (settings) => ({
      definitions: [],
      platformDefinitions: [],
      stages: [
        { objects: machineApiManifests(settings), deployments: [PROGRAM_NAME] },
        // Last: the policies refuse writes of everybody but the program, which then is there.
        { objects: machineApiGuards(settings), deployments: [] },
      ],
      once: [],
    }),
    observed: () => [machineApiObservability],
    certificates: () => [],
  },
  'conversion-shim': {
    name: 'conversion-shim',
    namespace: HYPERSHIFT_NAMESPACE,
    plan: (settings) => ({
      definitions: [],
      platformDefinitions: [],
      stages: [{ objects: [namespaceOf(settings), ...shimManifests(settings)], deployments: [SHIM_NAME] }],
      once: [],
    }),
    observed: () => [shimObservability],
    certificates: () => [{ secret: `${SHIM_NAME}-serving-cert`, service: SHIM_NAME }],
  },
  hypershift: {
    name: 'hypershift',
    namespace: HYPERSHIFT_NAMESPACE,
    plan: hypershiftPlan,
    observed: observedWith,
    certificates: certificatesOf,
  },
};

function namespaceObject(name: string, component: string): KubeObject {
  const labels = { 'app.kubernetes.io/name': component, 'app.kubernetes.io/part-of': 'capstan' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** The plan of a component, with its alerts where they are asked for. */
export async function planOf(component: Component, settings: InstallSettings): Promise<Plan> {
  const plan = ofVersion(await component.plan(settings), settings);
  if (!settings.monitor) return plan;
  const { namespace, runbookBase } = settings;
  const where = { namespace, ...(runbookBase === undefined ? {} : { runbookBase }) };
  const rule = prometheusRule(component.observed(settings), where) as KubeObject;
  // Each component brings its own rules: one must not replace those of another.
  const named = { ...rule, metadata: { ...rule.metadata, name: component.name } };
  const [last, ...before] = plan.stages.toReversed();
  const { deployments = [], objects = [] } = last ?? {};
  return { ...plan, stages: [...before.toReversed(), { objects: [...objects, named], deployments }] };
}

/** CRDs and Deployments by the version that installs them, which is not replaced by an earlier one. */
function ofVersion(plan: Plan, settings: InstallSettings): Plan {
  const marked = (each: KubeObject): KubeObject => (each.kind === 'Deployment' ? versioned(each, settings) : each);
  return {
    ...plan,
    definitions: plan.definitions.map((each) => versioned(each, settings)),
    stages: plan.stages.map((stage) => ({ ...stage, objects: stage.objects.map(marked) })),
  };
}

/** Everything that is applied, in its order. */
export function objectsOf({ stages }: Plan): readonly KubeObject[] {
  return stages.flatMap(({ objects }) => objects);
}

/** Every Deployment that is waited for. */
export function deploymentsOf({ stages }: Plan): readonly string[] {
  return stages.flatMap(({ deployments }) => deployments);
}
