import { PinnedReleases } from '@capstan/hosting';
import { defineOperator, Manager, OptionalResource, portOf, withoutManagedFields } from '@capstan/kube';
import type { ManagerOptions, OperatorContext, OperatorDefinition } from '@capstan/kube';
import type { HostingPlatforms } from '@capstan/provider';
import type { ReleaseProvider } from '@capstan/release';
import { RolloutProgress } from './component/rollout-progress.js';
import { pullSecrets, selectionIn, watchControlPlanes } from './hosted-control-plane/controller.js';
import { proxyReader } from './hosted-control-plane/proxy.js';
import { reconcileHostedControlPlane } from './hosted-control-plane/reconcile.js';
import { statusWrites } from './hosted-control-plane/status-writes.js';
import { ROUTES } from './kinds.js';
import { KeptKeys } from './pki/kept-keys.js';
import { Remembered } from './objects/remembered.js';
import { Settled } from './objects/settled.js';
import { FLAGS, readSettings } from './settings.js';
import type { Settings } from './settings.js';

/** What the operator is given where it runs. */
export type ControlPlaneContext = OperatorContext<typeof FLAGS>;

/** What the operator is put together with. */
export interface ControlPlaneOptions {
  readonly platforms: HostingPlatforms;
  /** The release provider, or how to create one from the settings. */
  readonly releases: ReleaseProvider | ((settings: Settings, context: ControlPlaneContext) => ReleaseProvider);
  /** Draws keys from the operator's own chance: for simulations alone, since who knows the seed knows the keys. */
  readonly drawsKeys?: boolean | undefined;
}

/** The control plane operator: makes of a HostedControlPlane what answers as a cluster. */
export function controlPlaneOperator(parts: ControlPlaneOptions): OperatorDefinition<typeof FLAGS> {
  return defineOperator({ name: 'control-plane-operator', flags: FLAGS, build: (context) => build(context, parts) });
}

function build(context: OperatorContext<typeof FLAGS>, parts: ControlPlaneOptions): Manager {
  const settings = readSettings(context);
  const manager = new Manager({
    ...context.options,
    ...listening(context),
    cache: {
      ...context.options.cache,
      selectionOf: selectionIn(settings.namespace),
      transform: withoutManagedFields,
    },
  });
  const { cache, client, clock, random } = manager;
  const routes = new OptionalResource(ROUTES, { cache, client, clock });
  const releases = typeof parts.releases === 'function' ? parts.releases(settings, context) : parts.releases;
  watchControlPlanes(
    manager,
    reconcileHostedControlPlane({
      cache,
      client,
      clock,
      random: random.split('control planes'),
      platforms: parts.platforms,
      releases: new PinnedReleases(releases),
      settled: new Settled(),
      progress: new RolloutProgress(),
      plans: new Remembered(),
      pkiPlans: new Remembered(),
      keptKeys: new KeptKeys(),
      proxy: proxyReader(settings.proxy, client),
      writes: statusWrites(),
      routes,
      settings,
      drawsKeys: parts.drawsKeys === true,
      pullSecret: pullSecrets(manager),
      recorder: manager.eventRecorder('control-plane-operator'),
    }),
    routes.changes,
  );
  return manager;
}

/** Metrics and probes where HyperShift's own flags ask for them. */
function listening({
  attach,
  flags,
  options,
}: OperatorContext<typeof FLAGS>): Pick<ManagerOptions, 'metrics' | 'probes'> {
  const on = (address: string | undefined): ManagerOptions['metrics'] => {
    const port = portOf(address);
    return port === undefined ? undefined : { port, ...(attach === undefined ? {} : { attach }) };
  };
  return {
    metrics: options.metrics ?? on(flags['metrics-addr']),
    probes: options.probes ?? on(flags['health-probe-addr']),
  };
}
