import { decideOperatorImage } from './decide.js';
import type { OperatorImageFacts } from './decide.js';
import type { OperatorImageRecord } from './record.js';

/** What is known of the control plane operator of a cluster on private types. */
export interface ChoiceFacts extends Omit<OperatorImageFacts, 'isSupported'> {
  /** The image that it would run without an override of ours. */
  readonly image: string;
  /** Why that cannot be read now, where it cannot. */
  readonly isSupported: boolean | { readonly unknown: string };
  /** The override that is in effect. */
  readonly record: OperatorImageRecord | undefined;
  /** Whether it runs that image already. */
  readonly isRunning: boolean;
}

export type OperatorImageChoice =
  | { readonly do: 'keep' }
  /** Runs the image that it would run by itself. */
  | { readonly do: 'restore' }
  | { readonly do: 'override'; readonly image: string }
  | { readonly do: 'fail'; readonly message: string }
  | { readonly do: 'wait'; readonly message: string };

/**
 * Which image the control plane operator of a cluster on private types runs, for the release that is wanted now: an override is
 * for the minor version that it was chosen for. Its own image as soon as that adds sidecars; otherwise the override of its minor
 * version. Without any it would start its components on the standard groups, where nobody reconciles what they create.
 */
export function chooseOperatorImage(facts: ChoiceFacts): OperatorImageChoice {
  const { image, isSupported, minor, overrides } = facts;
  if (typeof isSupported !== 'boolean') return whileUnknown(facts, isSupported.unknown);
  const decision = decideOperatorImage({ image, isSupported, minor, overrides });
  if (decision.do === 'keep') return { do: facts.record === undefined ? 'keep' : 'restore' };
  const record = facts.record?.minor === minor ? facts.record : undefined;
  if (record === undefined) return decision;
  // Where it was removed from the map, the cluster runs it all the same.
  const isSame = decision.do === 'fail' || (record.override === decision.image && record.image === image);
  return isSame ? { do: 'keep' } : decision;
}

function whileUnknown({ image, isRunning, minor, record }: ChoiceFacts, cause: string): OperatorImageChoice {
  const isChosen = record === undefined ? isRunning : record.minor === minor;
  if (isChosen) return { do: 'keep' };
  return { do: 'wait', message: `image ${image} of the control plane operator cannot be read: ${cause}` };
}
