import {
  hashBytes,
  IGNITION_CONFIG_ANNOTATION,
  NODE_POOL_ANNOTATION,
  TOKEN_EXPIRATION_ANNOTATION,
  TOKEN_TIME_ANNOTATION,
  UPGRADE_TYPE_ANNOTATION,
} from '@capstan/hosting';
import { gzipSync } from 'node:zlib';
import { canonicalJson, formatTime, hashText, instantToMs, parseTime } from '@capstan/meta';
import type { Rollout } from '../config/rollout.js';
import type { Snapshot } from '../snapshot.js';
import { tokenName } from '../names.js';
import { secretText, secretValue } from '../resources.js';
import type { Secret } from '../resources.js';
import { withEntries } from '../machines/shared.js';

/** Instances that are starting when their configuration is replaced have this long to fetch it. */
export const TOKEN_LASTS_MS = 2 * 3_600_000;

/** The configuration as the ignition server reads it: compressed, and as text. */
function packed(raw: string): string {
  return secretValue(gzipSync(raw).toString('base64'));
}

/** Changes with settings of the cluster that need no new machines: the ignition server generates its payload again. */
function configurationHash({ hostedCluster }: Snapshot): string {
  return hashText(canonicalJson(hostedCluster.spec.configuration ?? {}));
}

function freshData(snapshot: Snapshot, { raw, version }: Rollout): Record<string, string> {
  const { hostedCluster, nodePool, pullSecret = '', trustBundle } = snapshot;
  const bundle =
    hostedCluster.spec.additionalTrustBundle === undefined ? '' : (trustBundle?.data?.['ca-bundle.crt'] ?? '');
  return {
    token: secretValue(snapshot.drawToken()),
    release: secretValue(nodePool.spec.release.image),
    'release-version': secretValue(version),
    config: packed(raw),
    'pull-secret-hash': secretValue(hashBytes(Buffer.from(pullSecret, 'utf8'))),
    'additional-trust-bundle-hash': secretValue(hashText(bundle)),
  };
}

/**
 * The Secret by which the ignition server knows a configuration and who may have it, from the one there is. The token in
 * it is the ignition server's to renew; what it serves was written once.
 */
export function desiredToken(snapshot: Snapshot, rollout: Rollout, before: Secret | undefined): Secret {
  const { controlPlaneNamespace: namespace, key, nodePool } = snapshot;
  const name = tokenName(nodePool.metadata.name ?? '', rollout.hash);
  const isNew = before?.data?.['token'] === undefined;
  return {
    ...(before ?? { apiVersion: 'v1', kind: 'Secret', type: 'Opaque' }),
    immutable: false,
    metadata: {
      ...(before?.metadata ?? { name, namespace }),
      annotations: withEntries(before?.metadata.annotations, {
        ...(isNew ? { [TOKEN_TIME_ANNOTATION]: new Date(snapshot.nowMs).toISOString() } : {}),
        [IGNITION_CONFIG_ANNOTATION]: 'true',
        [UPGRADE_TYPE_ANNOTATION]: nodePool.spec.management.upgradeType,
        [NODE_POOL_ANNOTATION]: key,
        // In use again after a change was taken back.
        [TOKEN_EXPIRATION_ANNOTATION]: undefined,
      }),
    },
    data: {
      ...before?.data,
      ...(isNew ? freshData(snapshot, rollout) : {}),
      'hc-configuration-hash': secretValue(configurationHash(snapshot)),
    },
  };
}

/** The token in its Secret. */
export function tokenOf(secret: Secret): string {
  return secretText(secret, 'token') ?? '';
}

/** A token of an earlier configuration, with its expiration. */
export function expiring(token: Secret, nowMs: number): Secret {
  const { annotations } = token.metadata;
  if (annotations?.[TOKEN_EXPIRATION_ANNOTATION] !== undefined) return token;
  const until = formatTime(nowMs + TOKEN_LASTS_MS);
  return {
    ...token,
    metadata: { ...token.metadata, annotations: withEntries(annotations, { [TOKEN_EXPIRATION_ANNOTATION]: until }) },
  };
}

/** Milliseconds until a token expires; undefined when it has no expiration. */
export function expiresInMs({ metadata }: Secret, nowMs: number): number | undefined {
  const until = metadata.annotations?.[TOKEN_EXPIRATION_ANNOTATION];
  if (until === undefined) return undefined;
  try {
    return instantToMs(parseTime(until)) - nowMs;
  } catch {
    // Not a time: the token counts as expired.
    return 0;
  }
}
