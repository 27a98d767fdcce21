import { readFile } from 'node:fs/promises';
import { configOperator, controlPlaneOperator } from '@capstan/control-plane';
import { BadUsage, Client, loadConnection } from '@capstan/kube';
import type { FlagKinds, OperatorContext, OperatorDefinition, ResourceKind } from '@capstan/kube';
import { CONTROL_PLANE_COMPONENTS, HOSTED_CONTROL_PLANES, MACHINE_SETS, MACHINES } from '@capstan/provider';
import { RegistryReleases, socketTransport } from '@capstan/release';
import { lineLogger } from '../apiserver/log.js';
import { UsageError } from '../errors.js';
import { unusable } from '../files.js';
import type { Io } from '../io.js';
import { listenForStop } from '../lifetime.js';
import type { ClusterOptions } from '../options.js';
import { hostingPlatforms } from '../platforms.js';
import { expectDefinitions, localContext } from './context.js';

interface ServingOptions extends ClusterOptions {
  readonly namespace?: string | undefined;
  readonly leaderElect?: boolean | undefined;
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  readonly verbose?: boolean | undefined;
  readonly output?: 'json' | undefined;
}

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
  const ca = await registryAuthorities(options.registryCaFile);
  const operator = controlPlaneOperator({
    platforms: await hostingPlatforms(),
    releases: ({ registryOverrides: overrides }, { options: { clock } }) =>
      new RegistryReleases({ transport: socketTransport({ ca }), clock, overrides }),
  });
  const flags: OperatorContext<typeof operator.flags>['flags'] = {
    ...commonFlags(options),
    'registry-overrides': (options.registryOverride ?? []).join(','),
    'image-overrides': (options.imageOverride ?? []).join(','),
  };
  const says = 'Control planes are made on';
  await run({ operator, flags, options, says, needed: [HOSTED_CONTROL_PLANES, CONTROL_PLANE_COMPONENTS] }, io);
}

/** Looks after a hosted cluster until asked to stop. */
export async function runConfigOperator(options: ConfigOperatorOptions, io: Io): Promise<void> {
  const { hostedControlPlane, targetKubeconfig } = options;
  const flags: OperatorContext<typeof configOperator.flags>['flags'] = {
    ...commonFlags(options),
    'target-kubeconfig': targetKubeconfig,
    ...(hostedControlPlane === undefined ? {} : { 'hosted-control-plane': hostedControlPlane }),
  };
  const says = 'The hosted cluster is looked after from';
  const needed = [HOSTED_CONTROL_PLANES, MACHINES, MACHINE_SETS];
  await run({ operator: configOperator, flags, options, says, needed }, io);
}

function commonFlags(options: ServingOptions): OperatorContext<FlagKinds>['flags'] {
  const { healthProbeBindAddress, leaderElect, metricsBindAddress, namespace } = options;
  return {
    ...(namespace === undefined ? {} : { namespace }),
    'leader-elect': leaderElect === true,
    'metrics-bind-address': metricsBindAddress,
    'health-probe-bind-address': healthProbeBindAddress,
  } as OperatorContext<FlagKinds>['flags'];
}

interface Run<K extends FlagKinds> {
  readonly operator: OperatorDefinition<K>;
  readonly flags: OperatorContext<K>['flags'];
  readonly options: ServingOptions;
  readonly says: string;
  readonly needed: readonly ResourceKind[];
}

async function run<K extends FlagKinds>({ flags, needed, operator, options, says }: Run<K>, io: Io): Promise<void> {
  const stop = listenForStop(io);
  try {
    const { context: of, kubeconfig, namespace = 'hypershift', output, verbose } = options;
    const connection = await loadConnection({ path: kubeconfig, context: of, env: io.env, home: io.env['HOME'] });
    const logger = lineLogger(io, verbose === true);
    const { name } = operator;
    const { close, context } = localContext<K>({ name, connection, flags, env: io.env, namespace, logger });
    try {
      await expectDefinitions(new Client(context.options.transport), needed);
      const manager = await built(() => operator.build(context));
      const ended = manager.run(stop.signal);
      const { server } = connection;
      io.out(output === 'json' ? `${JSON.stringify({ server, pid: process.pid })}\n` : `${says} ${server}\n`);
      await ended;
    } finally {
      await close();
    }
  } finally {
    stop.release();
  }
}

/** Building it, with its refusals in the words of the command line. */
async function built<T>(build: () => T | Promise<T>): Promise<T> {
  try {
    return await build();
  } catch (error) {
    if (!(error instanceof BadUsage)) throw error;
    throw new UsageError(error.message, "See 'capstan --help' for usage.", { cause: error });
  }
}

async function registryAuthorities(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unusable('file of authorities', path, error, 'name a PEM file with --registry-ca-file');
  }
}
