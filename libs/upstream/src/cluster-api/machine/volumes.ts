import type { KubeObject } from '@capstan/meta';
import { shortList } from '../conditions/messages.js';
import type { Guest } from '../guest-clusters.js';
import { PERSISTENT_VOLUMES, VOLUME_ATTACHMENTS } from '../kinds.js';
import type { Node, Pod } from '../types.js';

interface PersistentVolume extends KubeObject {
  spec?: {
    csi?: { driver: string; volumeHandle: string };
    claimRef?: { kind?: string; namespace?: string; name?: string };
  };
}

interface VolumeAttachment extends KubeObject {
  spec?: { nodeName?: string; source?: { persistentVolumeName?: string } };
  status?: { attached?: boolean };
}

/** What is still attached to a node, by what is known of it. */
export interface Attached {
  readonly claims: readonly string[];
  readonly volumesWithoutClaim: readonly string[];
  readonly unknownNames: readonly string[];
  readonly unknownVolumes: readonly string[];
}

/** How a node names a volume that is attached to it. */
function attachedName(spec: PersistentVolume['spec']): string {
  return spec?.csi === undefined ? '' : `kubernetes.io/csi/${spec.csi.driver}^${spec.csi.volumeHandle}`;
}

function claimName(spec: PersistentVolume['spec']): string | undefined {
  const { kind, namespace = '', name = '' } = spec?.claimRef ?? {};
  return kind === 'PersistentVolumeClaim' ? `${namespace}/${name}` : undefined;
}

/** What of the volumes of a node has to be detached before it may go. */
export function stillAttached(
  view: {
    readonly names: ReadonlySet<string>;
    readonly volumeNames: ReadonlySet<string>;
    readonly ignoredClaims: ReadonlySet<string>;
  },
  volumes: readonly PersistentVolume[],
): Attached {
  const foundNames = new Set<string>();
  const foundVolumes = new Set<string>();
  const claims = new Set<string>();
  const volumesWithoutClaim: string[] = [];
  for (const { metadata, spec } of volumes) {
    const name = metadata.name ?? '';
    const attachedAs = attachedName(spec);
    if (view.names.has(attachedAs)) foundNames.add(attachedAs);
    if (view.volumeNames.has(name)) foundVolumes.add(name);
    if (!foundNames.has(attachedAs) && !foundVolumes.has(name)) continue;
    const claim = claimName(spec);
    if (claim === undefined) volumesWithoutClaim.push(name);
    else claims.add(claim);
  }
  return {
    claims: [...claims].filter((claim) => !view.ignoredClaims.has(claim)).toSorted(),
    volumesWithoutClaim: volumesWithoutClaim.toSorted(),
    unknownNames: [...view.names].filter((name) => !foundNames.has(name)).toSorted(),
    unknownVolumes: [...view.volumeNames].filter((name) => !foundVolumes.has(name)).toSorted(),
  };
}

/** The claims of pods that stay on the node: their volumes are never detached. */
export function claimsOf(pods: readonly Pod[]): Set<string> {
  return new Set(
    pods.flatMap(({ metadata, spec }) =>
      (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
        claim === undefined ? [] : [`${metadata.namespace ?? ''}/${claim.claimName}`],
      ),
    ),
  );
}

/** What is attached to a node; undefined when nothing is. */
export async function attachedTo(
  { client }: Guest,
  node: Node,
): Promise<{ names: Set<string>; volumeNames: Set<string>; volumes: readonly PersistentVolume[] } | undefined> {
  const names = new Set((node.status?.volumesAttached ?? []).map(({ name }) => name));
  const attachments = await client.list<VolumeAttachment>(VOLUME_ATTACHMENTS, { pageSize: 100 });
  const volumeNames = new Set(
    attachments.items
      .filter(({ spec, status }) => status?.attached === true && spec?.nodeName === node.metadata.name)
      .map(({ spec }) => spec?.source?.persistentVolumeName ?? ''),
  );
  if (names.size === 0 && volumeNames.size === 0) return undefined;
  const volumes = await client.list<PersistentVolume>(PERSISTENT_VOLUMES, { pageSize: 100 });
  return { names, volumeNames, volumes: volumes.items };
}

/** The message about volumes that are waited for; empty when there are none. */
export function attachedText(attached: Attached, startedAt: string): string {
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['PersistentVolumeClaims', attached.claims],
    ['PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim', attached.volumesWithoutClaim],
    ['Node with .status.volumesAttached entries not matching a PersistentVolume', attached.unknownNames],
    [
      'VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume',
      attached.unknownVolumes,
    ],
  ];
  const reported = lines.filter(([, names]) => names.length > 0);
  if (reported.length === 0) return '';
  const list = reported.map(([title, names]) => `* ${title}: ${shortList(names, 5)}`);
  return [`Waiting for Node volumes to be detached (started at ${startedAt})`, ...list].join('\n');
}
