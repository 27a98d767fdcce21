import { cpoSupport } from '@capstan/hosting';
import type { ImageProvider } from '@capstan/release';
import { OPERATOR_IMAGE_OVERRIDES_ENV, readOperatorImageOverrides } from './decide.js';
import type { OperatorImageOverrides } from './decide.js';

/** Images of the control plane operator. */
export interface OperatorImages {
  /** Whether an image adds sidecars to what it manages; `cpoSupport` of `@capstan/hosting`. Rejects with a `ReleaseError`. */
  readonly isSupported: (
    image: string,
    given: { readonly pullSecret: string | undefined; readonly signal: AbortSignal },
  ) => Promise<boolean>;
  readonly overrides: OperatorImageOverrides;
}

/** Images of the control plane operator as their registries and the environment describe them. Throws `BadUsage`. */
export function operatorImages(images: ImageProvider, env: Readonly<Record<string, string>>): OperatorImages {
  return {
    isSupported: (image, given) => cpoSupport(images, image, given),
    overrides: readOperatorImageOverrides(env[OPERATOR_IMAGE_OVERRIDES_ENV]),
  };
}
