import { kinds as requirementKinds } from '@capstan/api/apiextensions';
import { clusterOperator } from '@capstan/api/config';
import { crd } from '@capstan/api/model';
import { kinds as operatorKinds } from '@capstan/api/operator';
import { CAPI_OPERATOR_NAME, capiOperatorManifests, clusterApiObject } from '@capstan/capi-operator/manifests';
import { capiObservability } from '@capstan/capi-operator/observability';
import { CERT_SECRET, CHECKER_NAME, checkerManifests } from '@capstan/crd-compatibility/manifests';
import { checkerObservability } from '@capstan/crd-compatibility/observability';
import type { KubeObject } from '@capstan/meta';
import { prometheusRule } from '@capstan/observability';
import type { Observability } from '@capstan/observability';

/** What may differ between installations of a component. */
export interface InstallSettings {
  readonly namespace: string;
  readonly image: string;
  readonly isSingleNode: boolean;
  readonly monitor: boolean;
  readonly hasOwnAuthority: boolean;
  readonly platform?: string | undefined;
  readonly featureGates?: string | undefined;
  readonly releaseVersion?: string | undefined;
}

/** Something that can be installed. */
export interface Component {
  readonly name: ComponentName;
  readonly namespace: string;
  /** CRDs that it owns; they stay when it is uninstalled. */
  readonly definitions: () => readonly KubeObject[];
  /** CRDs of the platform that it needs: created where they are missing, and never changed or deleted. */
  readonly platformDefinitions: () => readonly KubeObject[];
  /** Everything else, in the order of applying; taken away in the opposite one. */
  readonly manifests: (settings: InstallSettings) => readonly KubeObject[];
  /** Made where they are missing and never changed: they are their users'. */
  readonly once: () => readonly KubeObject[];
  readonly observability?: Observability | undefined;
  /** The Secret of its serving certificate, where it serves. */
  readonly certificate?: { readonly secret: string; readonly service: string } | undefined;
}

/** What `--component` takes. */
export const COMPONENT_NAMES = ['crd-compatibility', 'capi-operator'] as const;
export type ComponentName = (typeof COMPONENT_NAMES)[number];

const definitionsOf = (kinds: readonly Parameters<typeof crd>[0][]): readonly KubeObject[] =>
  kinds.map((kind) => crd(kind) as unknown as KubeObject);

/** Everything that can be installed. */
export const COMPONENTS: Readonly<Record<ComponentName, Component>> = {
  'crd-compatibility': {
    name: 'crd-compatibility',
    namespace: 'openshift-compatibility-requirements-operator',
    definitions: () => definitionsOf(requirementKinds),
    platformDefinitions: () => [],
    manifests: (settings) => [namespaceObject(settings.namespace, CHECKER_NAME), ...checkerManifests(settings)],
    once: () => [],
    observability: checkerObservability,
    certificate: { secret: CERT_SECRET, service: CHECKER_NAME },
  },
  'capi-operator': {
    name: 'capi-operator',
    namespace: 'openshift-cluster-api-operator',
    definitions: () => definitionsOf([...requirementKinds, ...operatorKinds]),
    // On OpenShift the cluster-version operator owns it: its fields must not be taken over.
    platformDefinitions: () => definitionsOf([clusterOperator]),
    manifests: capiOperatorManifests,
    once: () => [clusterApiObject()],
    observability: capiObservability,
  },
};

/** The Deployment that has a component's name. */
export const DEPLOYMENT_OF: Readonly<Record<ComponentName, string>> = {
  'crd-compatibility': CHECKER_NAME,
  'capi-operator': CAPI_OPERATOR_NAME,
};

function namespaceObject(name: string, component: string): KubeObject {
  const labels = { 'app.kubernetes.io/name': component, 'app.kubernetes.io/part-of': 'capstan' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** All objects of a component but its definitions and what is made once: manifests, and alerts where asked for. */
export function objectsOf(component: Component, settings: InstallSettings): readonly KubeObject[] {
  const { observability } = component;
  const rules =
    settings.monitor && observability !== undefined
      ? [named(prometheusRule([observability], { namespace: settings.namespace }) as KubeObject, component.name)]
      : [];
  return [...component.manifests(settings), ...rules];
}

/** Each component brings its own rules: one must not take those of another. */
function named(rule: KubeObject, name: string): KubeObject {
  return { ...rule, metadata: { ...rule.metadata, name } };
}
