/** Maps as a webhook server mounts them: every kind with the version in the middle and those around it. */
import type { KubeObject } from '@capstan/meta';
import type { Side } from '../engine/rule.js';
import type { KindConversion, ReviewOptions } from './conversion-review.js';
import { convertKind } from './conversion-review.js';

/** How one version becomes the hub version, and back. A failure throws. */
export interface SpokeConversion {
  readonly toHub: (object: KubeObject) => KubeObject;
  readonly fromHub: (object: KubeObject) => KubeObject;
}

/** A kind whose versions are converted by way of its hub. */
export interface HubConversion {
  readonly group: string;
  readonly kind: string;
  readonly hub: string;
  readonly spokes: Readonly<Record<string, SpokeConversion>>;
}

/** The kinds in the form that `WebhookServer.converting` takes; the right side is the hub. */
export function hubConversions<C>({ kinds, ...options }: ReviewOptions<C>): HubConversion[] {
  return kinds.map((each: KindConversion<C>) => {
    const { group, kind, versions } = each;
    const from = (side: Side) => (object: KubeObject) => convertKind(each, side, object, options) as KubeObject;
    return {
      group,
      kind,
      hub: versions.right,
      spokes: { [versions.left]: { toHub: from('left'), fromHub: from('right') } },
    };
  });
}
