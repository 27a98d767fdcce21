import { canonicalJson, hashText } from '@capstan/meta';
import { parseVersion } from '@capstan/release';
import type { ReleasePayload, ReleaseVersion } from '@capstan/release';
import type { Snapshot, Hosted } from '../snapshot.js';
import { configTexts, SEPARATOR } from './documents.js';

/** Whatever makes new machines, or an upgrade of those there are, when it changes. */
export interface Rollout {
  readonly version: string;
  /** The configuration of nodes: documents in one text. */
  readonly raw: string;
  /** Names the secrets and what machines have. */
  readonly hash: string;
  /** Changes with the configuration and not with the version. Cluster-wide settings do not count, as in HyperShift. */
  readonly hashWithoutVersion: string;
}

const TRUST_BUNDLE_KEY = 'ca-bundle.crt';
/** Since then nodes follow the TLS profile of the API server. */
const TLS_PROFILE_MINOR = 23;

/** Settings of the whole cluster that nodes have to be replaced for. */
function globalConfig(hostedCluster: Hosted, version: ReleaseVersion | undefined): string {
  const { apiServer, image, proxy } = hostedCluster.spec.configuration ?? {};
  const followsTls = version !== undefined && (version.major > 4 || version.minor >= TLS_PROFILE_MINOR);
  const tls = followsTls ? { tls: apiServer?.tlsSecurityProfile } : {};
  return canonicalJson({ image, proxy, ...tls });
}

/** The stream of the operating system, empty when it is the one of the release anyway. */
function oddStream(stream: string | undefined, version: ReleaseVersion | undefined): string {
  const usual = version !== undefined && version.major >= 5 ? 'rhel-10' : 'rhel-9';
  return stream === undefined || stream === usual ? '' : stream;
}

function trustBundleProblem({ hostedCluster, trustBundle }: Snapshot): string | undefined {
  const name = hostedCluster.spec.additionalTrustBundle?.name ?? '';
  if (name === '' || trustBundle?.data?.[TRUST_BUNDLE_KEY] !== undefined) return undefined;
  const what = trustBundle === undefined ? 'does not exist' : `has no key ${TRUST_BUNDLE_KEY}`;
  return `ConfigMap ${JSON.stringify(name)}, which the HostedCluster names as its trust bundle, ${what}`;
}

/** What the machines of a pool are to have; or what is wrong with what the user gave. */
export function rolloutOf(
  snapshot: Snapshot,
  payload: ReleasePayload,
): Rollout | { readonly problems: readonly string[] } {
  const { hostedCluster, nodePool } = snapshot;
  const config = configTexts(snapshot.configs);
  const untrusted = trustBundleProblem(snapshot);
  const problems = [...('problems' in config ? config.problems : []), ...(untrusted === undefined ? [] : [untrusted])];
  if ('problems' in config || problems.length > 0) return { problems };
  const raw = config.texts.join(SEPARATOR);
  const version = parseVersion(payload.version);
  const { additionalTrustBundle, pullSecret } = hostedCluster.spec;
  const names = `${pullSecret.name ?? ''}${additionalTrustBundle?.name ?? ''}`;
  const stream = oddStream(nodePool.spec.osImageStream?.name, version);
  return {
    version: payload.version,
    raw,
    hash: hashText(`${raw}${payload.version}${names}${globalConfig(hostedCluster, version)}${stream}`),
    hashWithoutVersion: hashText(`${raw}${names}${stream}`),
  };
}
