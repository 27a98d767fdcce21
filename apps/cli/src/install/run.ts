import { systemClock } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { isForbidden, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { withCluster } from '../crds/cluster.js';
import { printable, UsageError } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { formatObject } from '../output.js';
import { nameOf, put, putOnce, refOf, servingSecret, waitFor } from './cluster.js';
import type { Outcome } from './cluster.js';
import { COMPONENTS, DEPLOYMENT_OF, objectsOf } from './components.js';
import type { Component, ComponentName, InstallSettings } from './components.js';
import { logTail, observeRollout } from './observe.js';
import { rolloutState } from './rollout.js';
import { uninstall } from './uninstall.js';

/** Options of `capstan install`. */
export interface InstallOptions extends ClusterOptions {
  readonly component: readonly ComponentName[];
  readonly namespace?: string | undefined;
  readonly image: string;
  readonly singleNode?: boolean | undefined;
  readonly serviceMonitor?: boolean | undefined;
  readonly ownCertificate?: boolean | undefined;
  readonly platform?: string | undefined;
  readonly featureGates?: string | undefined;
  readonly releaseVersion?: string | undefined;
  readonly render?: boolean | undefined;
  readonly uninstall?: boolean | undefined;
  readonly purge?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly wait: boolean;
  readonly timeout: number;
  readonly output: 'json' | 'yaml';
}

/** Installs, renders or uninstalls components. */
export async function runInstall(options: InstallOptions, io: Io): Promise<void> {
  checkUsage(options);
  const chosen = options.component.map((name) => COMPONENTS[name]);
  if (options.render === true) {
    const items = chosen.flatMap((component) => rendered(component, settingsOf(component, options)));
    io.out(await printed(items, options.output));
    return;
  }
  await withCluster(options, io, async (client) => {
    if (options.uninstall === true)
      for (const component of chosen.toReversed())
        await uninstall(client, component, { settings: settingsOf(component, options), options, io });
    else for (const component of chosen) await install(client, component, options, io);
  });
}

function checkUsage({ component, dryRun, namespace, purge, render, uninstall: away }: InstallOptions): void {
  const hint = "See 'capstan install --help' for usage.";
  if (component.length === 0) throw new UsageError('--component is missing: it names what to install', hint);
  if (render === true && away === true) throw new UsageError('--render and --uninstall exclude each other', hint);
  if (purge === true && away !== true) throw new UsageError('--purge needs --uninstall', hint);
  if (dryRun === true && (render === true || away === true)) throw new UsageError('--dry-run is for installing', hint);
  if (namespace !== undefined && component.length > 1)
    throw new UsageError('--namespace is for one component: each has its own', hint);
}

function settingsOf({ namespace }: Component, options: InstallOptions): InstallSettings {
  const { featureGates, image, ownCertificate, platform, releaseVersion, serviceMonitor, singleNode } = options;
  return {
    namespace: options.namespace ?? namespace,
    image,
    isSingleNode: singleNode === true,
    monitor: serviceMonitor === true,
    hasOwnAuthority: ownCertificate === true,
    platform,
    featureGates,
    releaseVersion,
  };
}

/** Everything in the order of applying. Keys are not printed: they are made where they stay. */
function rendered(component: Component, settings: InstallSettings): readonly KubeObject[] {
  return [
    ...component.definitions(),
    ...component.platformDefinitions(),
    ...objectsOf(component, settings),
    ...component.once(),
  ];
}

async function printed(items: readonly KubeObject[], output: 'json' | 'yaml'): Promise<string> {
  if (output === 'json') return formatObject({ apiVersion: 'v1', kind: 'List', items }, 'json');
  return (await Promise.all(items.map((item) => formatObject(item, 'yaml')))).join('---\n');
}

async function install(client: Client, component: Component, options: InstallOptions, io: Io): Promise<void> {
  const settings = await completed(client, settingsOf(component, options), component, io);
  const isDry = options.dryRun === true;
  const report = (object: KubeObject, what: Outcome): void =>
    io.out(`${nameOf(object)} ${what}${isDry ? ' (dry run)' : ''}\n`);
  for (const definition of component.definitions()) report(definition, await put(client, definition, isDry));
  for (const definition of component.platformDefinitions())
    report(definition, await putOnce(client, definition, isDry));
  if (!isDry) await established(client, component, options.timeout);
  for (const object of objectsOf(component, settings)) {
    report(object, await put(client, object, isDry));
    if (object.kind === 'Namespace' && object.metadata.name === settings.namespace)
      await certificate(client, component, { settings, isDry }, report);
  }
  for (const object of component.once()) report(object, await putOnce(client, object, isDry));
  if (!isDry && options.wait) await rolledOut(client, component, { settings, options, io });
}

const CONFIG = { group: 'config.openshift.io', version: 'v1', namespaced: false };
const NO_PLATFORM = 'None';
const NO_GATES = `ClusterAPIMachineManagement${NO_PLATFORM}=false`;

/** The operator reads its platform and gates from OpenShift's configuration: where that is not served, they are set. */
async function completed(
  client: Client,
  settings: InstallSettings,
  { name }: Component,
  io: Io,
): Promise<InstallSettings> {
  if (name !== 'capi-operator') return settings;
  const isServed = async (plural: string): Promise<boolean> => {
    try {
      await client.revision({ ...CONFIG, plural });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      // A user who installs may lack permission to read it: the operator has an account of its own.
      if (isForbidden(error)) return true;
      throw error;
    }
  };
  const lacks = async (given: string | undefined, plural: string): Promise<boolean> =>
    given === undefined && !(await isServed(plural));
  const [noPlatform, noGates] = [
    await lacks(settings.platform, 'infrastructures'),
    await lacks(settings.featureGates, 'featuregates'),
  ];
  if (noPlatform)
    io.err(
      `the cluster serves no infrastructures.${CONFIG.group}: installed for platform ${NO_PLATFORM}, --platform names another\n`,
    );
  return {
    ...settings,
    ...(noPlatform ? { platform: NO_PLATFORM } : {}),
    ...(noGates ? { featureGates: NO_GATES } : {}),
  };
}

async function certificate(
  client: Client,
  { certificate: wanted }: Component,
  { isDry, settings }: { readonly settings: InstallSettings; readonly isDry: boolean },
  report: (object: KubeObject, what: Outcome) => void,
): Promise<void> {
  if (wanted === undefined || !settings.hasOwnAuthority) return;
  const secret = servingSecret({ namespace: settings.namespace, ...wanted });
  report(secret, await putOnce(client, secret, isDry));
}

interface Conditions extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

async function established(client: Client, component: Component, limitMs: number): Promise<void> {
  for (const definition of [...component.definitions(), ...component.platformDefinitions()]) {
    const { name = '' } = definition.metadata;
    await waitFor(systemClock(), { failure: `${nameOf(definition)} is not served`, limitMs }, async () => {
      const { status } = await client.get<Conditions>(refOf(definition), name);
      const condition = (type: string) => status?.conditions?.find((each) => each.type === type);
      if (condition('Established')?.status === 'True') return { isDone: true };
      const refused = condition('NamesAccepted');
      if (refused?.status !== 'False') return { isDone: false, seen: 'it has no condition Established yet' };
      const hint = 'delete the CRD that has its names, then run it again';
      return { isDone: false, isFinal: true, seen: refused.message ?? 'NamesAccepted is False', hint };
    });
  }
}

/** Until every replica of this version answers: the checker's webhooks are configured by itself, and only then. */
async function rolledOut(
  client: Client,
  { name }: Component,
  { io, options, settings }: { readonly settings: InstallSettings; readonly options: InstallOptions; readonly io: Io },
): Promise<void> {
  const deployment = `deployment.apps/${DEPLOYMENT_OF[name]}`;
  const { namespace } = settings;
  const clock = systemClock();
  let shown = '';
  let since = { text: '', at: 0 };
  io.err(`waiting for ${deployment}\n`);
  const limits = { failure: `${deployment} is not available`, limitMs: options.timeout };
  await waitFor(clock, limits, async () => {
    const state = rolloutState(await observeRollout(client, namespace, DEPLOYMENT_OF[name]));
    if (state.isAvailable) return { isDone: true };
    const { cause, progress } = state;
    if (progress !== shown) io.err(`${deployment}: ${printable(progress)}\n`);
    shown = progress;
    if (cause === undefined) return { isDone: false, seen: progress };
    if (since.text !== cause.text) since = { text: cause.text, at: clock.monotonic() };
    const isFinal = clock.monotonic() - since.at >= cause.certainAfterMs;
    const detail = async (): Promise<string> => printable(await logTail(client, namespace, cause));
    return { isDone: false, isFinal, seen: printable(cause.text), hint: cause.hint, detail };
  });
  io.out(`${deployment} available\n`);
}
