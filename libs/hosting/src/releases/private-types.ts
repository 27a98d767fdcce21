import type { ImageProvider } from '@capstan/release';
import { PRIVATE_CAPI_TYPES_LABEL } from '../annotations/migration.js';

/** Whether an image of the control plane operator adds the API proxy to its components. Rejects with a `ReleaseError`. */
export async function cpoSupport(
  images: ImageProvider,
  image: string,
  { pullSecret, signal }: { readonly pullSecret: string | undefined; readonly signal: AbortSignal },
): Promise<boolean> {
  const { labels } = await images.labels(image, pullSecret, signal);
  return labels[PRIVATE_CAPI_TYPES_LABEL] === 'true';
}
