import { clusterApiConverter, contractContext } from '@capstan/convert/cluster-api';
import { hypershiftOperator } from '@capstan/hypershift';
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
} from '@capstan/hosting';
import { RegistryImages, RegistryReleases, socketTransport } from '@capstan/release';
import { UsageError } from '../errors.js';
import { SHIPPED_PRIVATE_CRDS } from './shipped-private-crds.js';
import type { Io } from '../io.js';
import { hostingPlatforms } from '../platforms.js';
import { registryCas, runOperator, servingFlags } from './run.js';
import type { ServingOptions } from './run.js';

/** Options of `capstan operator`. */
export interface HypershiftCommandOptions extends ServingOptions {
  readonly hostedClusters: number;
  readonly nodePoolVersionSkew: number;
  readonly webhookCertDir?: string | undefined;
  readonly webhookPort: number;
  readonly privateCapiTypes?: boolean | undefined;
  readonly legacy?: boolean | undefined;
  readonly scope?: string | undefined;
  readonly directKubeconfig?: string | undefined;
  readonly registryOverride?: readonly string[] | undefined;
  readonly registryCaFile?: string | undefined;
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

/** Reconciles hosted clusters until asked to stop. */
export async function runHypershift(options: HypershiftCommandOptions, io: Io): Promise<void> {
  const overrides = overridesOf(options.registryOverride ?? []);
  const ca = await registryCas(options.registryCaFile);
  const operator = hypershiftOperator({
    platforms: await hostingPlatforms(),
    releases: ({ options: { clock } }) =>
      new RegistryReleases({ transport: socketTransport({ ca }), clock, overrides }),
    converter: (labelsOf) => clusterApiConverter(contractContext(labelsOf)),
    privateCrds: SHIPPED_PRIVATE_CRDS,
    images: ({ options: { clock } }) => new RegistryImages({ transport: socketTransport({ ca }), clock, overrides }),
  });
  const { directKubeconfig, hostedClusters, nodePoolVersionSkew, scope, webhookCertDir, webhookPort } = options;
  const flags = {
    ...servingFlags(options),
    'hosted-clusters': hostedClusters,
    'node-pool-version-skew': nodePoolVersionSkew,
    'private-capi-types': options.privateCapiTypes === true,
    legacy: options.legacy === true,
    ...(scope === undefined ? {} : { scope }),
    ...(directKubeconfig === undefined ? {} : { 'direct-kubeconfig': directKubeconfig }),
    ...(webhookCertDir === undefined ? {} : { 'webhook-cert-dir': webhookCertDir, 'webhook-port': webhookPort }),
  };
  await runOperator({ operator, flags, options, announcement: 'Reconciling HostedClusters on', needed: NEEDED }, io);
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
