import type { HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { clusterKeyOf, placeProblems, upgradeProblem } from '@capstan/hosting';
import { cutList, MAX_CONDITION_MESSAGE } from '@capstan/meta';
import type { HostingPlatform, HostingPlatforms, Problem } from '@capstan/provider';
import type { ReleasePayload } from '@capstan/release';
import { copiesOf } from './references.js';
import type { Finding, Snapshot } from './state.js';

/** What a cluster is validated by before anything is created for it. */
export interface ValidationInputs {
  readonly hostedCluster: HostedCluster;
  readonly owner: string;
  readonly namespace: string;
  readonly platform: HostingPlatform | undefined;
  readonly platforms: Pick<HostingPlatforms, 'types'>;
  readonly snapshot: Snapshot;
  /** CRDs of its platform that the management cluster does not have. */
  readonly missing: readonly string[];
}

/** What a HostedCluster is validated by, and what its platform reports of it. */
export interface DecisionInputs extends ValidationInputs {
  readonly controlPlane: HostedControlPlane | undefined;
  /** Secrets that the platform needs; undefined without a platform. */
  readonly credentials: readonly string[] | undefined;
  readonly platformProblems: readonly Problem[];
  readonly release: ReleasePayload | undefined;
  readonly releaseImage: Finding | undefined;
}

/** The conditions of the validation, and why nothing may be changed. */
export interface Decision {
  readonly findings: readonly Finding[];
  readonly blocked: string | undefined;
}

const GATES = ['SupportedHostedCluster', 'ValidConfiguration', 'PlatformCredentialsFound', 'ValidReleaseImage'];

/** Decides whether a HostedCluster may be created and changed on the management cluster. */
export function decide(inputs: DecisionInputs): Decision {
  const { controlPlane, credentials, hostedCluster, platformProblems, release, releaseImage } = inputs;
  const findings = [
    supported(inputs),
    ...(credentials === undefined ? [] : [credentialed(inputs, credentials)]),
    configured(inputs, platformProblems),
  ];
  const gates = new Map(
    [...findings, ...(releaseImage === undefined ? [] : [releaseImage])].map((each) => [each.type, each]),
  );
  const closed = GATES.map((gate) => gates.get(gate)).find((finding) => finding?.status === 'False');
  const blocked =
    namespaceTermination(inputs) ??
    (closed && `${closed.type} is false: ${closed.message}`) ??
    (release && upgradeProblem(hostedCluster, release, controlPlane));
  return { findings, blocked };
}

function text(problems: readonly Problem[]): string {
  return problems.map(({ message, path }) => `${path}: ${message}`).join('; ');
}

function verdict(
  type: string,
  problems: readonly Problem[],
  texts: { readonly reason: string; readonly good: string },
): Finding {
  return problems.length === 0
    ? { type, status: 'True', reason: 'AsExpected', message: texts.good }
    : { type, status: 'False', reason: texts.reason, message: text(problems) };
}

/** Whether this installation can run such a cluster at all. */
export function supported({ hostedCluster, missing, platform, platforms }: ValidationInputs): Finding {
  const type = hostedCluster.spec?.platform.type ?? '';
  const problems: Problem[] = [];
  if (platform === undefined)
    problems.push({
      path: 'spec.platform.type',
      message: `this installation has no platform ${JSON.stringify(type)}, only ${platforms.types.join(', ')}: use one of those, or run an operator that has it`,
    });
  for (const name of missing)
    problems.push({
      path: 'spec.platform.type',
      message: `the management cluster has no CRD ${name}: install the CRDs of platform ${type}`,
    });
  const good = 'HostedCluster is supported by operator configuration';
  return verdict('SupportedHostedCluster', problems, { reason: 'UnsupportedHostedCluster', good });
}

/** Whether the spec can be carried out; what the platform makes of its part is `more`. */
export function configured(inputs: ValidationInputs, more: readonly Problem[]): Finding {
  const problems = [...place(inputs), ...absentReferences(inputs), ...published(inputs), ...more];
  const good = 'Configuration passes validation';
  return verdict('ValidConfiguration', problems, { reason: 'InvalidConfiguration', good });
}

/** Whether the cluster can have the place its names lead to, or another one has it. */
function place({ hostedCluster, namespace, owner, snapshot }: ValidationInputs): Problem[] {
  const holder = snapshot.namespace === undefined ? undefined : { hostedCluster: clusterKeyOf(snapshot.namespace) };
  const { name = '', namespace: where = '' } = snapshot.rival?.metadata ?? {};
  return placeProblems({
    controlPlaneNamespace: namespace,
    infraID: hostedCluster.spec?.infraID ?? '',
    namespaceHolder: holder?.hostedCluster === owner ? undefined : holder,
    infraHolder: snapshot.rival === undefined ? undefined : `${where}/${name}`,
  });
}

/** The message while the control plane namespace of a cluster is deleted though the cluster is not; undefined otherwise. */
export function namespaceTermination({
  namespace,
  snapshot,
}: Pick<ValidationInputs, 'namespace' | 'snapshot'>): string | undefined {
  const since = snapshot.namespace?.metadata.deletionTimestamp ?? undefined;
  if (since === undefined) return undefined;
  const { holders = [] } = snapshot;
  const head = `Namespace ${namespace} is being deleted since ${since}`;
  if (holders.length === 0)
    return `${head}, the control plane and its data with it: remove finalizers of what kubectl describe namespace shows; it is created again, empty`;
  const advice = ': delete that in its cloud, then remove its finalizers; the namespace is created again';
  const named = cutList(holders, MAX_CONDITION_MESSAGE - head.length - advice.length - ', held by '.length);
  return `${head}, held by ${named}${advice}`;
}

/** Objects that the spec names and that do not exist. */
function absentReferences({ hostedCluster, snapshot }: ValidationInputs): Problem[] {
  const where = hostedCluster.metadata.namespace ?? '';
  const namespaces = snapshot.absentNamespaces.map(({ name, path }) => ({
    path,
    message: `there is no namespace ${name}: create it, or name another one`,
  }));
  const copied = copiesOf(hostedCluster).flatMap(({ as, kind, name, path }): Problem[] => {
    const source = snapshot.sources.get(`${kind} ${name}`);
    if (source === undefined)
      return [{ path, message: `${kind} ${name} is not in namespace ${where}: create it, or name another one` }];
    const isPullSecret = as === 'pull-secret' && kind === 'Secret';
    if (!isPullSecret || dataOf(source, '.dockerconfigjson') !== undefined) return [];
    return [
      { path, message: `Secret ${name} has no key .dockerconfigjson: put the credentials of the registry there` },
    ];
  });
  return [...copied, ...namespaces];
}

function published({ hostedCluster }: ValidationInputs): Problem[] {
  const services = hostedCluster.spec?.services ?? [];
  return ['APIServer', 'Ignition'].flatMap((service): Problem[] => {
    const found = services.find((each) => each.service === service);
    const strategy = found?.servicePublishingStrategy;
    if (strategy === undefined)
      return [{ path: 'spec.services', message: `${service} has no publishing strategy: add one` }];
    if (strategy.type !== 'NodePort' || strategy.nodePort !== undefined) return [];
    return [{ path: 'spec.services', message: `${service} is published by NodePort: set nodePort.address` }];
  });
}

/** A value of a Secret, decoded. */
export function dataOf({ data }: { readonly [field: string]: unknown }, key: string): string | undefined {
  const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined;
}

/** Whether the credentials of the platform are there. */
export function credentialed(
  { hostedCluster: { metadata }, snapshot }: Pick<ValidationInputs, 'hostedCluster' | 'snapshot'>,
  names: readonly string[],
): Finding {
  const problems = names
    .filter((name) => !snapshot.platformSecrets.has(name))
    .map((name) => ({
      path: 'spec.platform',
      message: `Secret ${name} is not in namespace ${metadata.namespace ?? ''}: create it with the credentials of the platform`,
    }));
  const good = 'The credentials of the platform exist';
  return verdict('PlatformCredentialsFound', problems, { reason: 'PlatformCredentialsNotFound', good });
}
