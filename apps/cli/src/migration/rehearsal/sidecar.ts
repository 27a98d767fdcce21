import { sidecarInjection } from '@capstan/hypershift';
import type { SidecarInjection } from '@capstan/hypershift';

/** The proxy as the operator adds it: what a Deployment does not permit shows in the rehearsal already. */
export const SIDECAR: SidecarInjection = sidecarInjection({ image: 'capstan:rehearsal', native: true });
