import { configOperator, controlPlaneOperator } from '@capstan/control-plane';
import { CONTROL_PLANE_COMPONENTS, HOSTED_CONTROL_PLANES, MACHINE_SETS, MACHINES } from '@capstan/hosting';
import type { OperatorContext } from '@capstan/kube';
import { RegistryReleases, socketTransport } from '@capstan/release';
import type { Io } from '../io.js';
import { hostingPlatforms } from '../platforms.js';
import { registryCas, runOperator, servingFlags } from './run.js';
import type { ServingOptions } from './run.js';

/** Options of `capstan control-plane-operator`. */
export interface ControlPlaneCommandOptions extends ServingOptions {
  readonly registryOverride?: readonly string[] | undefined;
  readonly imageOverride?: readonly string[] | undefined;
  readonly registryCaFile?: string | undefined;
}

/** Options of `capstan hosted-cluster-config-operator`. */
export interface ConfigOperatorOptions extends ServingOptions {
  readonly namespace: string;
  readonly targetKubeconfig: string;
  readonly hostedControlPlane?: string | undefined;
}

/** Makes control planes until asked to stop. */
export async function runControlPlaneOperator(options: ControlPlaneCommandOptions, io: Io): Promise<void> {
  const ca = await registryCas(options.registryCaFile);
  const operator = controlPlaneOperator({
    platforms: await hostingPlatforms(),
    releases: ({ registryOverrides: overrides }, { options: { clock } }) =>
      new RegistryReleases({ transport: socketTransport({ ca }), clock, overrides }),
  });
  const flags: OperatorContext<typeof operator.flags>['flags'] = {
    ...servingFlags(options),
    'registry-overrides': (options.registryOverride ?? []).join(','),
    'image-overrides': (options.imageOverride ?? []).join(','),
  };
  const announcement = 'Reconciling HostedControlPlanes on';
  await runOperator(
    { operator, flags, options, announcement, needed: [HOSTED_CONTROL_PLANES, CONTROL_PLANE_COMPONENTS] },
    io,
  );
}

/** Configures a hosted cluster until asked to stop. */
export async function runConfigOperator(options: ConfigOperatorOptions, io: Io): Promise<void> {
  const { hostedControlPlane, targetKubeconfig } = options;
  const flags: OperatorContext<typeof configOperator.flags>['flags'] = {
    ...servingFlags(options),
    'target-kubeconfig': targetKubeconfig,
    ...(hostedControlPlane === undefined ? {} : { 'hosted-control-plane': hostedControlPlane }),
  };
  const announcement = 'Configuring the hosted cluster from';
  const needed = [HOSTED_CONTROL_PLANES, MACHINES, MACHINE_SETS];
  await runOperator({ operator: configOperator, flags, options, announcement, needed }, io);
}
