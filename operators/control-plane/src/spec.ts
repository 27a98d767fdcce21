import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import type { Publishing } from '@capstan/hosting';

const DEFAULT_API_SERVER_PORT = 6443;
const HIGHLY_AVAILABLE_REPLICAS = 3;

/** The port of kube-apiserver, the same for its pods and its Service. */
export function apiServerPort({ networking }: Pick<HostedControlPlaneSpec, 'networking'>): number {
  return networking?.apiServer?.port ?? DEFAULT_API_SERVER_PORT;
}

/** Replicas of a component that follows the availability policy. */
export function policyReplicas(spec: Pick<HostedControlPlaneSpec, 'controllerAvailabilityPolicy'>): number {
  return spec.controllerAvailabilityPolicy === 'SingleReplica' ? 1 : HIGHLY_AVAILABLE_REPLICAS;
}

/** Whether the control plane runs its own OAuth server. With OIDC the identity provider replaces it. */
export function hasOAuthServer({ configuration }: Pick<HostedControlPlaneSpec, 'configuration'>): boolean {
  return configuration?.authentication?.type !== 'OIDC';
}

/** Whether a service is published by a Route with a host name of its own, which needs the router. */
export function hasNamedRoute(services: readonly Publishing[]): boolean {
  return services.some(({ servicePublishingStrategy: strategy }) => {
    return strategy?.type === 'Route' && (strategy.route?.hostname ?? '') !== '';
  });
}
