import { shimManifests, SHIM_NAME } from '@capstan/conversion-shim/manifests';
import type { KubeObject } from '@capstan/meta';
import { CAPSTAN_IMAGE } from '../pods/capstan-images.js';

/** Where the versions of private kinds are converted into each other. */
export const SHIM = { namespace: 'hypershift', name: SHIM_NAME } as const;

/** The shim and what it needs, apart from its namespace. */
export function shimObjects(): readonly KubeObject[] {
  return shimManifests({ namespace: SHIM.namespace, image: CAPSTAN_IMAGE });
}
