import type { HostedCluster } from '@capstan/api/hypershift';
import type { HostingPlatform, HostingPlatforms, Problem } from '@capstan/provider';
import { ownerOf } from '../writing/writer.js';
import { copiesOf } from './references.js';
import type { Finding, Seen } from './scope.js';

/** What names of labels and namespaces hold. */
const MAX_LABEL = 63;

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
  const good = 'This installation can run the cluster';
  return verdict('SupportedHostedCluster', problems, { reason: 'UnsupportedHostedCluster', good });
}

/** Whether the spec can be carried out; what the platform makes of its part is `more`. */
export function configured(judged: Judged, more: readonly Problem[]): Finding {
  const problems = [
    ...nameProblems(judged),
    ...holders(judged),
    ...absentReferences(judged),
    ...published(judged),
    ...more,
  ];
  const good = 'The configuration can be carried out';
  return verdict('ValidConfiguration', problems, { reason: 'InvalidConfiguration', good });
}

function nameProblems({ hostedCluster, namespace }: Judged): Problem[] {
  const { infraID = '' } = hostedCluster.spec ?? {};
  const problems: Problem[] = [];
  if (namespace.length > MAX_LABEL)
    problems.push({
      path: 'metadata.name',
      message: `the control plane namespace would be ${namespace}, which has ${namespace.length} characters and may have ${MAX_LABEL}: choose a shorter name or namespace`,
    });
  if (infraID.length > MAX_LABEL)
    problems.push({
      path: 'spec.infraID',
      message: `it has ${infraID.length} characters, and a label that carries it may have ${MAX_LABEL}: make the cluster anew with a shorter one`,
    });
  return problems;
}

/** What the cluster needs for itself and another one has. */
function holders({ hostedCluster, namespace, owner, seen }: Judged): Problem[] {
  const problems: Problem[] = [];
  if (seen.namespace !== undefined && ownerOf(seen.namespace) !== owner) {
    const holder = ownerOf(seen.namespace);
    const whose = holder === undefined ? 'was not made by this operator' : `belongs to the HostedCluster ${holder}`;
    const message = `the control plane namespace ${namespace} exists and ${whose}: choose another name or namespace for this cluster`;
    problems.push({ path: 'metadata.name', message });
  }
  if (seen.rival !== undefined) {
    const { name, namespace: where } = seen.rival.metadata;
    problems.push({
      path: 'spec.infraID',
      message: `the infrastructure ${hostedCluster.spec?.infraID ?? ''} belongs to the HostedCluster ${where ?? ''}/${name ?? ''}: make this cluster anew with an infraID of its own`,
    });
  }
  return problems;
}

/** What the spec names and nobody has made. */
function absentReferences({ hostedCluster, seen }: Judged): Problem[] {
  const where = hostedCluster.metadata.namespace ?? '';
  return copiesOf(hostedCluster).flatMap(({ as, kind, name, path }): Problem[] => {
    const source = seen.sources.get(`${kind} ${name}`);
    if (source === undefined)
      return [{ path, message: `${kind} ${name} is not in namespace ${where}: create it, or name another one` }];
    const isPullSecret = as === 'pull-secret' && kind === 'Secret';
    if (!isPullSecret || dataOf(source, '.dockerconfigjson') !== undefined) return [];
    return [
      { path, message: `Secret ${name} has no key .dockerconfigjson: put the credentials of the registry there` },
    ];
  });
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
