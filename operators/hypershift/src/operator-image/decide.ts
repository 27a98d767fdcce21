import { BadUsage } from '@capstan/kube';
import { parseReference } from '@capstan/release';

/** Environment of the operator: images of the control plane operator that support private types, by minor version. */
export const OPERATOR_IMAGE_OVERRIDES_ENV = 'CPO_IMAGE_OVERRIDES';

/** Images by `4.18`. */
export type OperatorImageOverrides = ReadonlyMap<string, string>;

/** What is known of the control plane operator of a cluster. */
export interface OperatorImageFacts {
  /** What its Deployment runs. */
  readonly image: string;
  readonly isSupported: boolean;
  /** Of the control plane, `4.18`; undefined when its version is not known. */
  readonly minor: string | undefined;
  readonly overrides: OperatorImageOverrides;
}

/** What a migration does about the image of the control plane operator. */
export type OperatorImageDecision =
  | { readonly do: 'keep' }
  | { readonly do: 'override'; readonly image: string }
  | { readonly do: 'fail'; readonly message: string };

/** Keeps an image that supports private types, overrides another one where that is possible, and else refuses. */
export function decideOperatorImage({
  image,
  isSupported,
  minor,
  overrides,
}: OperatorImageFacts): OperatorImageDecision {
  if (isSupported) return { do: 'keep' };
  const problem = `image ${image} of the control plane operator does not support private types`;
  if (minor === undefined)
    return { do: 'fail', message: `${problem}, and the version of the control plane is not known` };
  const override = overrides.get(minor);
  if (override === undefined)
    return { do: 'fail', message: `${problem}: set one for ${minor} in ${OPERATOR_IMAGE_OVERRIDES_ENV}` };
  if (override === image)
    return { do: 'fail', message: `${problem}, though ${OPERATOR_IMAGE_OVERRIDES_ENV} has it for ${minor}` };
  return { do: 'override', image: override };
}

/** Reads `{"4.18": "quay.io/…"}`; none without a text. Throws {@link BadUsage}. */
export function readOperatorImageOverrides(text = ''): OperatorImageOverrides {
  if (text === '') return new Map();
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadUsage(`${OPERATOR_IMAGE_OVERRIDES_ENV} is not a JSON object of images by minor version`);
  for (const [minor, image] of Object.entries(value)) {
    if (!/^\d+\.\d+$/.test(minor))
      throw new BadUsage(`${OPERATOR_IMAGE_OVERRIDES_ENV}: "${minor}" is not a minor version such as 4.18`);
    if (typeof image !== 'string' || !isReference(image))
      throw new BadUsage(`${OPERATOR_IMAGE_OVERRIDES_ENV}: ${JSON.stringify(image)} of ${minor} is not an image`);
  }
  return new Map(Object.entries(value as Record<string, string>));
}

function isReference(text: string): boolean {
  try {
    parseReference(text);
    return true;
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
