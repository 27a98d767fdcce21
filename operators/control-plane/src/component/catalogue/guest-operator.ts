import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition, ComponentInputs, ContainerDefinition, Volume } from '../definition.js';
import { TEMPORARY } from './shared.js';

const KUBECONFIG: Readonly<Record<string, Volume>> = {
  [GUEST_KUBECONFIG.replace(/\/[^/]+$/, '')]: { secret: 'service-network-admin-kubeconfig' },
};

/** A component of one container that works in the hosted cluster: its kubeconfig and serving certificate are mounted. */
export function guestOperator(
  name: string,
  container: Partial<ContainerDefinition> & Pick<ContainerDefinition, 'image'>,
  more: Partial<ComponentDefinition> = {},
): ComponentDefinition {
  const certificate = more.servingCertificate;
  const serving: Readonly<Record<string, Volume>> =
    certificate === undefined ? {} : { '/etc/kubernetes/certs/server': { secret: certificate } };
  return {
    name,
    workload: 'Deployment',
    replicas: 'one',
    isOptional: true,
    ...more,
    containers: [
      {
        name,
        cpu: '10m',
        memory: '80Mi',
        ...container,
        mounts: { ...KUBECONFIG, ...serving, ...TEMPORARY, ...container.mounts },
      },
    ],
  };
}

/** The versions that operators of OpenShift report, as environment variables. */
export function versionEnv({ version }: ComponentInputs): Readonly<Record<string, string>> {
  return {
    RELEASE_VERSION: version,
    OPERATOR_IMAGE_VERSION: version,
    OPERAND_IMAGE_VERSION: version,
    KUBECONFIG: GUEST_KUBECONFIG,
    HYPERSHIFT: 'true',
  };
}
