import { checkReleases, releaseImages, upgradeProblem } from '@capstan/hosting';
import type { HostingPlatform, Problem } from '@capstan/provider';
import { kindOfObject } from '../../kinds.js';
import { found, lookAgain, inputsOf } from '../scope.js';
import type { Finding, Scope } from '../scope.js';
import { configured, credentialed, dataOf, namespaceGoing, supported } from '../validation.js';

/** What may be said of a release before its pull secret is there. */
const NO_PULL_SECRET: Finding = {
  type: 'ValidReleaseImage',
  status: 'False',
  reason: 'SecretNotFound',
  message: 'The release image cannot be looked up without a pull secret: see ValidConfiguration',
};

/** Finds out what the release image holds: from its payload, never from its tag. */
export async function release(scope: Scope): Promise<void> {
  const { controlPlane, hostedCluster, parts, seen, signal } = scope;
  const source = seen.sources.get(`Secret ${hostedCluster.spec?.pullSecret.name ?? ''}`);
  const pullSecret = source === undefined ? undefined : dataOf(source, '.dockerconfigjson');
  if (pullSecret === undefined) return found(scope, NO_PULL_SECRET);
  const images = releaseImages(hostedCluster);
  const looked = await parts.releases.lookup(images.controlPlane, pullSecret, signal);
  const guest =
    images.cluster === images.controlPlane ? looked : await parts.releases.lookup(images.cluster, pullSecret, signal);
  const all = guest === looked ? [looked] : [looked, guest];
  const { condition, retryAfterMs } = checkReleases(hostedCluster, all, controlPlane);
  found(scope, condition);
  if (retryAfterMs !== undefined) lookAgain(scope, retryAfterMs);
  if ('payload' in looked && condition.status === 'True') scope.release = looked.payload;
  if ('payload' in guest && condition.status === 'True') scope.guestRelease = guest.payload;
}

/** Whether the cluster can be had at all; where it cannot, nothing of it is changed. */
export function validate(scope: Scope): void {
  const { hostedCluster, namespace, owner, parts, platform, seen } = scope;
  const missing = platform === undefined ? [] : missingDefinitions(scope, platform);
  const judged = { hostedCluster, missing, namespace, owner, platform, platforms: parts.platforms, seen };
  const isSupported = supported(judged);
  found(scope, isSupported);
  let problems: readonly Problem[] = [];
  if (platform !== undefined) {
    problems = platform.validate(inputsOf(scope));
    found(scope, credentialed(judged, platform.secretNames({ hostedCluster })));
  }
  found(scope, configured(judged, problems));
  scope.blocked =
    namespaceGoing(judged) ??
    blockedBy(scope) ??
    (scope.release && upgradeProblem(hostedCluster, scope.release, scope.controlPlane));
}

/** Definitions that are needed for a cluster of a platform and not there. What its pools may need besides is theirs. */
function missingDefinitions(scope: Scope, platform: HostingPlatform): string[] {
  const { cluster, companionKinds, machineTemplate } = platform;
  const companions = cluster?.companions?.(inputsOf(scope)) ?? [];
  return [
    cluster?.kind,
    machineTemplate?.kind,
    machineTemplate?.machine,
    ...companions.map((object) => kindOfObject(object, companionKinds)),
  ]
    .filter((kind) => kind !== undefined)
    .filter((kind) => !scope.parts.cache.canRead(kind))
    .map(({ group, plural }) => `${plural}.${group}`);
}

const GATES = ['SupportedHostedCluster', 'ValidConfiguration', 'PlatformCredentialsFound', 'ValidReleaseImage'];

function blockedBy({ findings }: Scope): string | undefined {
  for (const gate of GATES) {
    const finding = findings.get(gate);
    if (finding?.status === 'False') return `${gate} is false: ${finding.message}`;
  }
  return undefined;
}
