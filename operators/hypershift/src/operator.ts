import { ReleaseLookups } from '@capstan/hosting';
import type { OperatorMode } from '@capstan/hosting';
import { Client, defineOperator, Discovery, Manager, withFields } from '@capstan/kube';
import type { OperatorContext, OperatorDefinition } from '@capstan/kube';
import type { HostingPlatforms } from '@capstan/provider';
import type { ImageProvider, ReleaseProvider } from '@capstan/release';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { addCertificatesController } from './certificates.js';
import { connectClients, directTransport } from './clients.js';
import type { ClientOf } from './clients.js';
import { electionIn, HYPERSHIFT_FLAGS, settingsFrom } from './config.js';
import { addHostedClusterController } from './hosted-cluster/controller.js';
import { addLegacyOperatorController } from './legacy-operator.js';
import { translationProbe } from './migration/checks/translation.js';
import { addMigrationController } from './migration/controller.js';
import { MIGRATION_LIMITS_ENV, readMigrationLimits } from './migration/limits.js';
import { operatorImages } from './operator-image/images.js';
import type { OperatorImages } from './operator-image/images.js';
import { DEFAULT_MIGRATION_SETTINGS } from './migration/settings.js';
import type { MigrationSettings } from './migration/settings.js';
import { sidecarInjection } from './sidecar/injection.js';
import type { SidecarInjection } from './sidecar/sidecar.js';
import { addPrivateCrdsController, restoreAtStart } from './private-crds/controller.js';
import type { PrivateCrdsOptions } from './private-crds/controller.js';
import type { PrivateCrds } from './private-crds/restore.js';
import { addNodePoolController } from './node-pool/controller.js';
import { cacheOf } from './selections.js';
import { evidenceOn } from './turns/evidence.js';
import { isLegacyOperatorGone } from './turns/legacy.js';
import { Predecessors } from './turns/predecessors.js';
import { Turns } from './turns/turns.js';
import { serveWebhooks } from './webhooks.js';
import type { Converter } from './webhooks.js';

/** Up to its first slash also the field manager of everything that is written. */
const USER_AGENT = 'hypershift-operator';

type Context = OperatorContext<typeof HYPERSHIFT_FLAGS>;

/** What the operator is put together with: it knows no platform and no registry by itself. */
export interface HypershiftOptions {
  readonly platforms: HostingPlatforms;
  /** Made when the program starts, of what it is given. */
  readonly releases: (context: Context) => ReleaseProvider;
  /**
   * Labels of images: without them every control plane operator needs another image before its cluster is migrated, and that of
   * new clusters is not checked.
   */
  readonly images?: ((context: Context) => ImageProvider) | undefined;
  /** The private CRDs that the program installs: those that change are restored. Default: none is looked at. */
  readonly privateCrds?: PrivateCrds | undefined;
  /**
   * Converts versions of standard Cluster API kinds: CRDs that an operator before this one has installed name the Service of
   * the operator for it. Default: nothing is converted.
   */
  readonly converter?: Converter | undefined;
  /** Draws keys from the operator's own chance: for simulations alone, since who knows the seed knows the keys. */
  readonly drawsKeys?: boolean | undefined;
  /** Deployments run without pods of their own: in simulations alone. */
  readonly isPodless?: boolean | undefined;
  /** How long a migration waits, where that is not as everywhere. */
  readonly waits?: Partial<MigrationSettings> | undefined;
  /** Whether it migrates HostedClusters; a simulation runs that as a process of its own. Default: on private types. */
  readonly migrates?: boolean | undefined;
}

/** HostedClusters and NodePools as a program. */
export function hypershiftOperator({
  converter,
  drawsKeys = false,
  images,
  isPodless = false,
  migrates = true,
  platforms,
  privateCrds,
  releases,
  waits = {},
}: HypershiftOptions): OperatorDefinition<typeof HYPERSHIFT_FLAGS> {
  return defineOperator({
    name: 'operator',
    flags: HYPERSHIFT_FLAGS,
    build: async (context) => {
      const { env, flags, options } = context;
      const settings = settingsFrom(context);
      const { mode, skewWidth } = settings;
      const leaderElection = electionIn(options, { mode, named: flags['leader-election-id'] });
      const client = { ...options.client, userAgent: USER_AGENT };
      const manager = new Manager({
        ...options,
        client,
        leaderElection,
        cache: { ...options.cache, ...cacheOf(mode) },
      });
      const clientOf = await connectClients(manager, context, settings);
      const mapping = new GroupMapping(CLUSTER_API_RULES);
      const turns = turnsOf(clientOf('turns'), mapping, { mode, namespace: context.namespace });
      const sidecar = settings.proxy === undefined ? undefined : sidecarInjection(settings.proxy);
      const operators = operatorImages(images?.(context) ?? UNLABELLED, sidecar === undefined ? {} : env);
      const checked = sidecar === undefined || images === undefined ? undefined : operators;
      const parts = { platforms, releases: releases(context), settings, turns, sidecar, env, drawsKeys };
      addHostedClusterController(manager, { ...parts, client: clientOf('hostedcluster'), operatorImages: checked });
      const { cache, clock, logger, random } = manager;
      addNodePoolController(manager, {
        client: clientOf('nodepool'),
        platforms,
        releases: parts.releases,
        clock,
        logger,
        random,
        recorder: manager.eventRecorder('nodepool-controller'),
        turns,
        skewWidth,
      });
      if (privateCrds !== undefined && mode.kind === 'private')
        await guardPrivateCrds(manager, context, { client: clientOf('PrivateCrds'), crds: privateCrds, mapping });
      addCertificates(manager, context, { client: clientOf('Certificates'), crds: privateCrds, mode });
      const lookups = new ReleaseLookups(parts.releases);
      await serveWebhooks(manager, context, {
        cache,
        releases: lookups,
        skewWidth,
        isInScope: (cluster) => turns.isOwn(cluster),
        converter,
      });
      if (sidecar !== undefined) {
        const { namespace } = context;
        const limits = { ...waits, ...readMigrationLimits(env[MIGRATION_LIMITS_ENV]) };
        const migration = { clientOf, mapping, turns, sidecar, platforms, namespace, isPodless, operators, limits };
        if (migrates) addMigration(manager, migration);
        addLegacyOperatorController(manager, { client: clientOf('LegacyOperator'), clock, logger, namespace, turns });
      }
      return manager;
    },
  });
}

/** Of both operators and the shim: the private or standard operator renews them all; a shard its own. */
function addCertificates(
  manager: Manager,
  { namespace }: Context,
  {
    client,
    crds,
    mode,
  }: { readonly client: Client; readonly crds: PrivateCrds | undefined; readonly mode: OperatorMode },
): void {
  if (mode.kind === 'legacy') return;
  const { clock, logger } = manager;
  const scope = mode.kind === 'shard' ? mode.scope : undefined;
  const shim = crds === undefined || scope !== undefined ? undefined : { service: crds.shim, secret: crds.shimSecret };
  addCertificatesController(manager, { client, clock, logger, namespace, scope, shim });
}

/** At the start under no lease: until its caches are filled nothing leads. Another replica applies the same. */
async function guardPrivateCrds(
  manager: Manager,
  context: Context,
  { client, crds, mapping }: Pick<PrivateCrdsOptions, 'client' | 'crds' | 'mapping'>,
): Promise<void> {
  const { logger } = manager;
  const { namespace } = context;
  const named = { ...context.options.client, userAgent: `${USER_AGENT}/PrivateCrds` };
  const unguarded = new Client(await directTransport(context), named);
  await restoreAtStart({ client: unguarded, crds, namespace, logger });
  const recorder = manager.eventRecorder('PrivateCrds');
  addPrivateCrdsController(manager, { client, crds, logger, mapping, namespace, recorder });
}

/** Two operators next to each other also wait for the one from before them to end. */
function turnsOf(
  client: Client,
  mapping: GroupMapping,
  { mode, namespace }: { readonly mode: OperatorMode; readonly namespace: string },
): Turns {
  const isOneOfTwo = mode.kind === 'private' || mode.kind === 'legacy';
  const predecessors = isOneOfTwo ? new Predecessors(client, namespace) : undefined;
  return new Turns({ mode, client, evidence: evidenceOn(client, mapping), predecessors });
}

interface MigrationWiring {
  readonly clientOf: ClientOf;
  readonly mapping: GroupMapping;
  readonly turns: Turns;
  readonly sidecar: SidecarInjection;
  readonly platforms: HostingPlatforms;
  readonly namespace: string;
  readonly isPodless: boolean;
  readonly operators: OperatorImages;
  readonly limits: Partial<MigrationSettings>;
}

const UNLABELLED: ImageProvider = { labels: (pullSpec) => Promise.resolve({ pullSpec, labels: {} }) };

function addMigration(manager: Manager, wiring: MigrationWiring): void {
  const { clientOf, isPodless, mapping, namespace, operators, platforms, sidecar, turns, limits } = wiring;
  const client = clientOf('MigrationController');
  const { clock, logger, random } = manager;
  addMigrationController(manager, {
    client,
    discovery: new Discovery(client),
    mapping,
    clock,
    random: random.split('migrations'),
    // Procedures find its lines by that.
    logger: withFields(logger, { controller: 'MigrationController' }),
    recorder: manager.eventRecorder('MigrationController'),
    settings: { ...DEFAULT_MIGRATION_SETTINGS, ...limits },
    sidecar,
    operatorImages: operators,
    probeTranslation: translationProbe(client, clock),
    ignoresClusterPause: ({ spec }) => platforms.find(spec?.platform.type ?? '')?.ignoresClusterPause === true,
    isLegacyOperatorGone: (signal) => isLegacyOperatorGone({ client, clock, namespace }, signal),
    isPodless,
    namespace,
    mayAct: (signal) => turns.mayAct(signal),
  });
}
