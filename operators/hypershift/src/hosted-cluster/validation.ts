import type { HostedCluster } from '@capstan/api/hypershift';
import { clusterKeyOf, placeProblems } from '@capstan/hosting';
import { cutList, MAX_CONDITION_MESSAGE } from '@capstan/meta';
import type { HostingPlatform, HostingPlatforms, Problem } from '@capstan/provider';
import { copiesOf } from './references.js';
import type { Finding, Seen } from './scope.js';

/** What of a cluster is judged before anything is made for it. */
export interface Judged {
  readonly hostedCluster: HostedCluster;
  readonly owner: string;
  readonly namespace: string;
  readonly platform: HostingPlatform | undefined;
  readonly platforms: Pick<HostingPlatforms, 'types'>;
  readonly seen: Seen;
  /** Definitions of its platform that the management cluster does not have. */
  readonly missing: readonly string[];
}

function text(problems: readonly Problem[]): string {
  return problems.map(({ message, path }) => `${path}: ${message}`).join('; ');
}

function verdict(
  type: string,
  problems: readonly Problem[],
  said: { readonly reason: string; readonly good: string },
): Finding {
  return problems.length === 0
    ? { type, status: 'True', reason: 'AsExpected', message: said.good }
    : { type, status: 'False', reason: said.reason, message: text(problems) };
}

/** Whether this installation can run such a cluster at all. */
export function supported({ hostedCluster, missing, platform, platforms }: Judged): Finding {
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
      message: `the management cluster has no definition ${name}: install the definitions of platform ${type}`,
    });
  const good = 'HostedCluster is supported by operator configuration';
  return verdict('SupportedHostedCluster', problems, { reason: 'UnsupportedHostedCluster', good });
}

/** Whether the spec can be carried out; what the platform makes of its part is `more`. */
export function configured(judged: Judged, more: readonly Problem[]): Finding {
  const problems = [...place(judged), ...absentReferences(judged), ...published(judged), ...more];
  const good = 'Configuration passes validation';
  return verdict('ValidConfiguration', problems, { reason: 'InvalidConfiguration', good });
}

/** Whether the cluster can have the place its names lead to, or another one has it. */
function place({ hostedCluster, namespace, owner, seen }: Judged): Problem[] {
  const holder = seen.namespace === undefined ? undefined : { hostedCluster: clusterKeyOf(seen.namespace) };
  const { name = '', namespace: where = '' } = seen.rival?.metadata ?? {};
  return placeProblems({
    controlPlaneNamespace: namespace,
    infraID: hostedCluster.spec?.infraID ?? '',
    namespaceHolder: holder?.hostedCluster === owner ? undefined : holder,
    infraHolder: seen.rival === undefined ? undefined : `${where}/${name}`,
  });
}

/** What is to be said while the control plane namespace goes though its cluster stays; undefined when it does not go. */
export function namespaceGoing({ namespace, seen }: Pick<Judged, 'namespace' | 'seen'>): string | undefined {
  const since = seen.namespace?.metadata.deletionTimestamp ?? undefined;
  if (since === undefined) return undefined;
  const { holders = [] } = seen;
  const head = `Namespace ${namespace} is being deleted since ${since}`;
  if (holders.length === 0)
    return `${head}, the control plane and its data with it: remove finalizers of what kubectl describe namespace shows; it is created anew, empty`;
  const advice = ': delete that in its cloud, then remove its finalizers; the namespace is created anew';
  const named = cutList(holders, MAX_CONDITION_MESSAGE - head.length - advice.length - ', held by '.length);
  return `${head}, held by ${named}${advice}`;
}

/** What the spec names and nobody has made. */
function absentReferences({ hostedCluster, seen }: Judged): Problem[] {
  const where = hostedCluster.metadata.namespace ?? '';
  const namespaces = seen.absentNamespaces.map(({ name, path }) => ({
    path,
    message: `there is no namespace ${name}: create it, or name another one`,
  }));
  const copied = copiesOf(hostedCluster).flatMap(({ as, kind, name, path }): Problem[] => {
    const source = seen.sources.get(`${kind} ${name}`);
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

function published({ hostedCluster }: Judged): Problem[] {
  const services = hostedCluster.spec?.services ?? [];
  return ['APIServer', 'Ignition'].flatMap((service): Problem[] => {
    const found = services.find((each) => each.service === service);
    const strategy = found?.servicePublishingStrategy;
    if (strategy === undefined)
      return [{ path: 'spec.services', message: `nothing says how ${service} is published: add its strategy` }];
    if (strategy.type !== 'NodePort' || strategy.nodePort !== undefined) return [];
    return [{ path: 'spec.services', message: `${service} is published on a port of nodes: say nodePort.address` }];
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
  { hostedCluster: { metadata }, seen }: Pick<Judged, 'hostedCluster' | 'seen'>,
  names: readonly string[],
): Finding {
  const problems = names
    .filter((name) => !seen.platformSecrets.has(name))
    .map((name) => ({
      path: 'spec.platform',
      message: `Secret ${name} is not in namespace ${metadata.namespace ?? ''}: create it with the credentials of the platform`,
    }));
  const good = 'The credentials of the platform are there';
  return verdict('PlatformCredentialsFound', problems, { reason: 'PlatformCredentialsNotFound', good });
}
