import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { controlPlaneObservability } from '@capstan/control-plane/observability';
import { SHIM_NAME, shimManifests } from '@capstan/conversion-shim/manifests';
import { shimObservability } from '@capstan/conversion-shim/observability';
import {
  LEGACY_OPERATOR_NAME,
  OPERATOR_NAME,
  operatorManifests,
  operatorName,
  platformGroups,
  priorityClasses,
  privateTypesGuard,
  recordOf,
  servingSecretOf,
  VERSION_ANNOTATION,
} from '@capstan/hypershift/manifests';
import type { OperatorMode } from '@capstan/hypershift/manifests';
import { hypershiftObservability } from '@capstan/hypershift/observability';
import type { KubeObject } from '@capstan/meta';
import type { Observability } from '@capstan/observability';
import { proxyObservability } from '@capstan/proxy/observability';
import { isStandardName } from '@capstan/translate/mirror';
import { proxyPodMonitor } from '@capstan/translate/sidecar';
import { infrastructureKinds, infrastructurePlatforms, storedAlone } from '../infrastructure-kinds.js';
import { hostingPlatforms } from '../platforms.js';
import { privateApiServices } from './api-services.js';
import type { Certificate, InstallSettings, Plan, Stage } from './components.js';
import {
  groupOfCrd,
  MAPPING,
  nameIn,
  privateDefinitions,
  SHIM_SECRET,
  standardDefinitions,
  versioned,
} from './private-crds.js';

/** Where the operators and the shim run by default. */
export const HYPERSHIFT_NAMESPACE = 'hypershift';
const RESTRICTED = 'restricted';

/** The legacy operator first: where installing is interrupted, the one from before the upgrade is still there. */
const modesOf = ({ isPrivate }: InstallSettings): readonly OperatorMode[] =>
  isPrivate ? ['legacy', 'private'] : ['standard'];

/** The namespace of operators and shim, whose pods are all restricted. */
export function namespaceOf({ monitor, namespace }: InstallSettings): KubeObject {
  const labels = {
    'app.kubernetes.io/part-of': 'capstan',
    'pod-security.kubernetes.io/enforce': RESTRICTED,
    'pod-security.kubernetes.io/audit': RESTRICTED,
    'pod-security.kubernetes.io/warn': RESTRICTED,
    ...(monitor ? { 'openshift.io/cluster-monitoring': 'true' } : {}),
  };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } };
}

/** The certificates that are served: those of operators, and on private types that of the shim. */
export function certificatesOf(settings: InstallSettings): readonly Certificate[] {
  const { scope } = settings;
  const operators = modesOf(settings).map((mode) => ({
    secret: servingSecretOf(mode, scope),
    service: operatorName(mode, scope),
  }));
  return settings.isPrivate ? [{ secret: SHIM_SECRET, service: SHIM_NAME }, ...operators] : operators;
}

/** What is observed: proxies and shim only where there are any, or the alerts for their absence would fire. */
export function observedWith({ isPrivate }: InstallSettings): readonly Observability[] {
  const all = [hypershiftObservability, controlPlaneObservability];
  return isPrivate ? [...all, proxyObservability, shimObservability] : all;
}

/** The operators of hosted clusters: on standard types one, on private types two, with shim, private CRDs and a guard. */
export async function hypershiftPlan(settings: InstallSettings): Promise<Plan> {
  const standard = await standardDefinitions();
  const own = hypershiftKinds.map((kind) => crd(storedAlone(kind), { gates: ['TechPreviewNoUpgrade'] }));
  const others = standard.filter(({ metadata: { name = '' } }) => !isStandardName(name, MAPPING));
  const operators = await operatorStage(settings);
  if (!settings.isPrivate)
    return {
      definitions: own.map((each) => versioned(each, settings)),
      platformDefinitions: [...(await storedDefinitions()), ...others],
      stages: [{ objects: [namespaceOf(settings), ...operators.objects], deployments: operators.deployments }],
      once: [],
    };
  const { definitions, warnings } = privateDefinitions(standard, settings);
  const record = recordOf(settings.namespace, definitions, settings.sources === undefined);
  return {
    definitions: [...own, ...definitions].map((each) => versioned(each, settings)),
    platformDefinitions: others,
    stages: [
      shimStage(settings),
      { objects: [...privateApiServices(definitions), record], deployments: [] },
      operators,
    ],
    once: [],
    warnings,
  };
}

/** The standard CRDs in the one version that the operators use: nobody converts others here. */
async function storedDefinitions(): Promise<readonly KubeObject[]> {
  const infrastructure = await infrastructureKinds(infrastructurePlatforms);
  const all = [...clusterApiKinds.map(storedAlone), ...infrastructure].map((kind) => crd(kind) as KubeObject);
  return all.filter(({ metadata: { name = '' } }) => isStandardName(name, MAPPING));
}

/** Nothing private can be read before the shim converts. */
function shimStage(settings: InstallSettings): Stage {
  const shim = shimManifests(settings).map((each) => (each.kind === 'Deployment' ? versioned(each, settings) : each));
  return { objects: [namespaceOf(settings), ...shim, openPorts(shim)].flat(), deployments: [SHIM_NAME] };
}

/** Lets everyone reach the ports that a Deployment declares, and no other: API servers are in no namespace. */
function openPorts(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata: { name, namespace }, spec }) => {
      const { selector, template } = spec as {
        readonly selector: object;
        readonly template: {
          readonly spec: { readonly containers: readonly { readonly ports?: readonly { containerPort: number }[] }[] };
        };
      };
      const declared = template.spec.containers.flatMap(({ ports = [] }) => ports);
      const ports = declared.map(({ containerPort: port }) => ({ port, protocol: 'TCP' }));
      return {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name, namespace },
        spec: { podSelector: selector, policyTypes: ['Ingress'], ingress: [{ ports }] },
      } as KubeObject;
    });
}

/** What an operator consists of differs by these settings. */
type OperatorSettings = Pick<
  InstallSettings,
  'caBundles' | 'groups' | 'image' | 'monitor' | 'namespace' | 'native' | 'operator' | 'scope' | 'sources' | 'version'
>;

/** The operator of a mode, in the order of applying. */
export async function operatorObjects(settings: OperatorSettings, mode: OperatorMode): Promise<readonly KubeObject[]> {
  const { caBundles, image, monitor, namespace, native, operator, scope, version } = settings;
  const program = operator ?? { image, command: ['capstan'], args: ['operator', '--verbose'] };
  const objects = operatorManifests({
    mode,
    scope,
    namespace,
    ...program,
    platforms: await hostingPlatforms(),
    groups: servedGroups(settings),
    swap: (group) => MAPPING.swap(group),
    proxyImage: image,
    native,
    caBundle: caBundles[servingSecretOf(mode, scope)],
    monitor,
    annotations: { [VERSION_ANNOTATION]: version },
  });
  // The new operator has one that knows its proxy.
  return mode === 'private' ? objects : [...objects, ...openPorts(objects)];
}

async function operatorStage(settings: InstallSettings): Promise<Stage> {
  const { isPrivate, monitor, namespace, scope } = settings;
  const platforms = await hostingPlatforms();
  const programs = (await Promise.all(modesOf(settings).map((mode) => operatorObjects(settings, mode)))).flat();
  if (!isPrivate)
    return { objects: [...priorityClasses(), ...programs], deployments: [operatorName('standard', scope)] };
  return {
    objects: [
      ...priorityClasses(),
      ...privateTypesGuard(
        platformGroups(platforms, servedGroups(settings)).filter((group) => MAPPING.side(group) === 'standard'),
      ),
      ...programs,
      ...(monitor ? [proxyPodMonitor({ namespace })] : []),
    ],
    deployments: [OPERATOR_NAME, LEGACY_OPERATOR_NAME],
  };
}

/** Groups of Cluster API that the cluster serves or `--crds-from` brings, by their standard names. */
function servedGroups({ groups, sources = [] }: Pick<InstallSettings, 'groups' | 'sources'>): readonly string[] {
  const given = sources.flatMap(({ object }) => groupOfCrd(nameIn(object)));
  const names = [...groups, ...given].map((group) => (MAPPING.side(group) === 'private' ? MAPPING.swap(group) : group));
  return [...new Set(names)].filter((group) => MAPPING.side(group) === 'standard').toSorted();
}
