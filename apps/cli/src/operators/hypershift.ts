import { readFile } from 'node:fs/promises';
import { hypershiftOperator } from '@capstan/hypershift';
import type { HYPERSHIFT_FLAGS } from '@capstan/hypershift';
import { Client, loadConnection } from '@capstan/kube';
import {
  CLUSTERS,
  CONTROL_PLANE_COMPONENTS,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  MACHINE_DEPLOYMENTS,
  MACHINE_HEALTH_CHECKS,
  MACHINE_SETS,
  MACHINES,
  NODE_POOLS,
} from '@capstan/provider';
import { RegistryReleases, socketTransport } from '@capstan/release';
import { lineLogger } from '../apiserver/log.js';
import { UsageError } from '../errors.js';
import { unusable } from '../files.js';
import type { Io } from '../io.js';
import { listenForStop } from '../lifetime.js';
import type { ClusterOptions } from '../options.js';
import { hostingPlatforms } from '../platforms.js';
import { expectDefinitions, localContext } from './context.js';

/** Options of `capstan operator`. */
export interface HypershiftCommandOptions extends ClusterOptions {
  readonly namespace: string;
  readonly leaderElect?: boolean | undefined;
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  readonly hostedClusters: number;
  readonly nodePoolVersionSkew: number;
  readonly webhookCertDir?: string | undefined;
  readonly webhookPort: number;
  readonly registryOverride?: readonly string[] | undefined;
  readonly registryCaFile?: string | undefined;
  readonly verbose?: boolean | undefined;
  readonly output?: 'json' | undefined;
}

const NEEDED = [
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  NODE_POOLS,
  CONTROL_PLANE_COMPONENTS,
  CLUSTERS,
  MACHINE_DEPLOYMENTS,
  MACHINE_SETS,
  MACHINES,
  MACHINE_HEALTH_CHECKS,
];

/** Looks after hosted clusters until asked to stop. */
export async function runHypershift(options: HypershiftCommandOptions, io: Io): Promise<void> {
  const overrides = overridesOf(options.registryOverride ?? []);
  const ca = await registryAuthorities(options.registryCaFile);
  const stop = listenForStop(io);
  try {
    const { context: of, kubeconfig, namespace } = options;
    const connection = await loadConnection({ path: kubeconfig, context: of, env: io.env, home: io.env['HOME'] });
    const logger = lineLogger(io, options.verbose === true);
    const operator = hypershiftOperator({
      platforms: await hostingPlatforms(),
      releases: ({ options: { clock } }) =>
        new RegistryReleases({ transport: socketTransport({ ca }), clock, overrides }),
    });
    const local = { name: operator.name, connection, flags: flagsOf(options), env: io.env, namespace, logger };
    const { close, context } = localContext<typeof operator.flags>(local);
    try {
      await expectDefinitions(new Client(context.options.transport), NEEDED);
      const manager = await operator.build(context);
      const ended = manager.run(stop.signal);
      announce(connection.server, options, io);
      await ended;
    } finally {
      await close();
    }
  } finally {
    stop.release();
  }
}

function flagsOf(
  options: HypershiftCommandOptions,
): Parameters<typeof localContext<typeof HYPERSHIFT_FLAGS>>[0]['flags'] {
  const { webhookCertDir, webhookPort } = options;
  return {
    namespace: options.namespace,
    'leader-elect': options.leaderElect === true,
    'metrics-bind-address': options.metricsBindAddress,
    'health-probe-bind-address': options.healthProbeBindAddress,
    'hosted-clusters': options.hostedClusters,
    'node-pool-version-skew': options.nodePoolVersionSkew,
    ...(webhookCertDir === undefined ? {} : { 'webhook-cert-dir': webhookCertDir, 'webhook-port': webhookPort }),
  };
}

/** `quay.io/openshift=mirror.example.com/openshift`, as a map. */
function overridesOf(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const [from = '', to = '', ...rest] = text.split('=');
      if (from === '' || to === '' || rest.length > 0)
        throw new UsageError(
          `--registry-override ${JSON.stringify(text)} is not of the form from=to`,
          "See 'capstan operator --help' for usage.",
        );
      return [from, to];
    }),
  );
}

async function registryAuthorities(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unusable('file of authorities', path, error, 'name a PEM file with --registry-ca-file');
  }
}

function announce(server: string, { output }: HypershiftCommandOptions, io: Io): void {
  if (output === 'json') io.out(`${JSON.stringify({ server, pid: process.pid })}\n`);
  else io.out(`Hosted clusters of ${server} are looked after\n`);
}
