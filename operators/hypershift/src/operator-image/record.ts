import type { HostedCluster } from '@capstan/api/hypershift';
import {
  annotated,
  CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION,
  MIGRATION_OPERATOR_IMAGE_ANNOTATION,
} from '@capstan/hosting';

/** What a migration has changed about the image of the control plane operator. */
export interface OperatorImageRecord {
  /** The image that it runs on private types. */
  readonly override: string;
  /** What its Deployment ran before. */
  readonly image: string;
  /** What the annotation of the HostedCluster was before; null without one. */
  readonly annotation: string | null;
  /** The minor version that it was chosen for, `4.18`: another release may have an image that needs no override. */
  readonly minor?: string | undefined;
}

/** The record of a HostedCluster; undefined where nothing was changed. */
export function readOperatorImageRecord({
  metadata,
}: Pick<HostedCluster, 'metadata'>): OperatorImageRecord | undefined {
  const text = metadata.annotations?.[MIGRATION_OPERATOR_IMAGE_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const { annotation, image, minor, override } = JSON.parse(text) as Partial<OperatorImageRecord>;
    if (typeof image !== 'string' || typeof override !== 'string') return undefined;
    return { override, image, annotation: typeof annotation === 'string' ? annotation : null, minor };
  } catch {
    return undefined;
  }
}

/** The HostedCluster with another image of the control plane operator, recorded so that {@link restored} removes it. */
export function overridden(
  cluster: HostedCluster,
  { image, minor, override }: Pick<OperatorImageRecord, 'image' | 'minor' | 'override'>,
): HostedCluster {
  const annotation = cluster.metadata.annotations?.[CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION] ?? null;
  const record: OperatorImageRecord = { override, image, annotation, minor };
  return annotated(cluster, {
    [CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION]: override,
    [MIGRATION_OPERATOR_IMAGE_ANNOTATION]: JSON.stringify(record),
  });
}

/** The HostedCluster as it was; an annotation that another client has changed since stays. */
export function restored(cluster: HostedCluster): HostedCluster {
  const record = readOperatorImageRecord(cluster);
  const { [CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION]: current } = cluster.metadata.annotations ?? {};
  return annotated(cluster, {
    [MIGRATION_OPERATOR_IMAGE_ANNOTATION]: undefined,
    ...(record !== undefined && current === record.override
      ? { [CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION]: record.annotation ?? undefined }
      : {}),
  });
}
