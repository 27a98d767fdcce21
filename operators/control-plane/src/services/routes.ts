import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { publishingOf } from '@capstan/hosting';
import type { PublishedServiceName } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { PUBLISHED } from './services.js';

/** The Route of each element of `spec.services`, under HyperShift's names. */
const NAMES: Readonly<Record<PublishedServiceName, string>> = {
  APIServer: 'kube-apiserver',
  Ignition: 'ignition-server',
  Konnectivity: 'konnectivity-server',
  OAuthServer: 'oauth',
};

/** The Route that an element of `spec.services` asks for; undefined where it is published otherwise. */
export function routeOf(
  spec: Pick<HostedControlPlaneSpec, 'services'>,
  name: PublishedServiceName,
): KubeObject | undefined {
  const strategy = publishingOf(spec.services, name);
  if (strategy?.type !== 'Route') return undefined;
  const hostname = strategy.route?.hostname ?? '';
  return {
    apiVersion: 'route.openshift.io/v1',
    kind: 'Route',
    metadata: { name: NAMES[name] },
    spec: {
      // Without one the router gives it a name, which is left to it.
      ...(hostname === '' ? {} : { host: hostname }),
      to: { kind: 'Service', name: PUBLISHED[name] },
      // Behind it is TLS with certificates of the hosted cluster, which no router has.
      tls: { termination: 'passthrough', insecureEdgeTerminationPolicy: 'None' },
    },
  };
}

/** All Routes of a control plane, by what they publish. */
export function routesOf(
  spec: Pick<HostedControlPlaneSpec, 'services'>,
): ReadonlyMap<PublishedServiceName, KubeObject> {
  const names = Object.keys(NAMES) as PublishedServiceName[];
  return new Map(
    names.flatMap((name) => {
      const route = routeOf(spec, name);
      return route === undefined ? [] : [[name, route] as const];
    }),
  );
}
