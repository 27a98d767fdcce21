import { CLUSTERS } from '@capstan/hosting';
import { LEGACY_OPERATOR_NAME } from '@capstan/hypershift/manifests';
import { ensureServingSecret, systemClock } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { pushAll } from '@capstan/meta';
import { RUNBOOK_BASE } from '@capstan/observability';
import type { KubeObject } from '@capstan/meta';
import { withCluster } from '../crds/cluster.js';
import type { Io, Output } from '../io.js';
import { formatObject } from '../output.js';
import { NAMES_NOTICE } from './api-services.js';
import { nameOf, put, putOnce, refOf, refuseOnceStopped, take, waitFor } from './cluster.js';
import type { Outcome, Wait } from './cluster.js';
import { COMPONENTS, objectsOf, planOf } from './components.js';
import type { Component, InstallSettings, Plan, Stage } from './components.js';
import { guardInstall, keepSelectors } from './guards.js';
import { chosenComponents, checkUsage } from './options.js';
import type { InstallOptions } from './options.js';
import { retiredWebhooks } from './retired-webhooks.js';
import { rolledOut } from './rolled-out.js';
import { discovered, isServed, settingsOf } from './settings.js';
import { stopPrivateOperator } from './stop-private.js';
import { tryAll } from './try.js';
import { pruneOther, uninstall } from './uninstall.js';
import { keepVariables } from './variables.js';

/** Installs, renders or uninstalls components. */
export async function runInstall(options: InstallOptions, io: Io): Promise<void> {
  checkUsage(options);
  const chosen = chosenComponents(options).map((name) => COMPONENTS[name]);
  if (options.render === true) {
    const items: KubeObject[] = [];
    for (const component of chosen)
      pushAll(items, rendered(await planOf(component, await settingsOf(component, options, io))));
    io.out(await printed(items, options.output));
    return;
  }
  const stop = new AbortController();
  const quiet = io.onStop(() => stop.abort());
  const place = { options, io, signal: stop.signal };
  try {
    await withCluster(options, io, async (client) => {
      for (const component of options.uninstall === true ? chosen.toReversed() : chosen)
        if (options.uninstall === true)
          await uninstall(client, component, { ...place, settings: await settingsOf(component, options, io) });
        else await install(client, component, place);
    });
  } finally {
    quiet();
  }
}

/** Everything in the order of applying. Keys are not printed: they are made where they stay. */
function rendered(plan: Plan): readonly KubeObject[] {
  return [...plan.definitions, ...plan.platformDefinitions, ...objectsOf(plan), ...plan.once];
}

async function printed(items: readonly KubeObject[], output: InstallOptions['output']): Promise<string> {
  if (output === 'json') return formatObject({ apiVersion: 'v1', kind: 'List', items }, 'json');
  return (await Promise.all(items.map((item) => formatObject(item, 'yaml')))).join('---\n');
}

async function install(
  client: Client,
  component: Component,
  { io, options, signal }: { readonly io: Io; readonly options: InstallOptions; readonly signal: AbortSignal },
): Promise<void> {
  const given = await discovered(client, component, await settingsOf(component, options, io));
  const settings = await completed(client, given, component, io);
  await installComponent(client, component, { settings, options, io, signal });
}

/** How a component is installed, and where that is reported. */
export interface Installing {
  readonly settings: InstallSettings;
  readonly options: Pick<InstallOptions, 'dryRun' | 'timeout' | 'wait'>;
  readonly io: Output;
  /** Ends it between two objects, and while it waits. */
  readonly signal?: AbortSignal | undefined;
}

/** Installs a component: everything is tried first, then written in its order. */
export async function installComponent(
  client: Client,
  component: Component,
  { io, options, settings, signal }: Installing,
): Promise<void> {
  const isDry = options.dryRun === true;
  // A shard is installed next to operators: what is theirs stays.
  const isHypershift = component.name === 'hypershift' && settings.scope === undefined;
  const report = (object: KubeObject, what: Outcome): void =>
    io.out(`${nameOf(object)} ${what}${isDry ? ' (dry run)' : ''}\n`);
  const first = await kept(client, component, settings);
  await guardInstall(client, component.name, { plan: first, settings });
  await tryAll(client, first, signal);
  for (const warning of [...(first.warnings ?? []), ...unlinked(settings)]) io.err(`warning: ${warning}\n`);
  if (isHypershift && !isDry) await stopOther(client, settings, { options, io, signal });
  const caBundles = await certificates(client, first, { component, settings, isDry }, report);
  // With a CA of its own, CRDs and webhooks name it.
  const plan =
    caBundles === undefined ? first : await kept(client, component, { ...settings, caBundles, hasOwnCa: true });
  await write(client, plan, { isDry, isHypershift, options, settings, io, signal, report });
  if (!isHypershift) return;
  if (settings.isPrivate) io.err(`note: ${NAMES_NOTICE}\n`);
  if (!isDry) await pruneOther(client, settings, io);
}

/** Alerts that link nowhere are noticed only when one fires. */
function unlinked({ monitor, runbookBase }: InstallSettings): readonly string[] {
  if (!monitor || runbookBase !== undefined) return [];
  return [`alerts link to ${RUNBOOK_BASE}: publish docs/operations/runbooks, and give its URL with --runbook-base`];
}

/** Before an operator on standard types replaces one on private types, that one has to have stopped. */
async function stopOther(
  client: Client,
  { isPrivate, namespace }: InstallSettings,
  { io, options, signal }: Pick<Installing, 'io' | 'options' | 'signal'>,
): Promise<void> {
  if (!isPrivate) await stopPrivateOperator(client, { namespace, timeoutMs: options.timeout, io, signal });
}

/** What is to be installed, with what stays as it is there. */
async function kept(client: Client, component: Component, settings: InstallSettings): Promise<Plan> {
  const plan = await keepSelectors(client, await planOf(component, settings));
  return component.name === 'hypershift' ? keepVariables(client, plan, settings) : plan;
}

interface Writing {
  readonly isDry: boolean;
  readonly isHypershift: boolean;
  readonly options: Installing['options'];
  readonly settings: InstallSettings;
  readonly io: Output;
  readonly signal: AbortSignal | undefined;
  readonly report: (object: KubeObject, what: Outcome) => void;
}

async function write(client: Client, plan: Plan, writing: Writing): Promise<void> {
  const { isDry, options, signal } = writing;
  const report = async (object: KubeObject, written: () => Promise<Outcome>): Promise<void> => {
    refuseOnceStopped(signal, object);
    writing.report(object, await written());
  };
  for (const definition of plan.definitions) await report(definition, () => put(client, definition, isDry));
  for (const definition of plan.platformDefinitions) await report(definition, () => putOnce(client, definition, isDry));
  if (!isDry) await established(client, plan, { limitMs: options.timeout, signal });
  for (const [at, stage] of plan.stages.entries()) {
    if (at === plan.stages.length - 1) await retire(client, plan, writing);
    for (const object of stage.objects) await report(object, () => put(client, object, isDry));
    if (at < plan.stages.length - 1) await available(client, stage, writing);
  }
  for (const object of plan.once) await report(object, () => putOnce(client, object, isDry));
  const last = plan.stages.at(-1);
  if (last !== undefined) await available(client, last, writing);
}

/** Webhooks of the operator that is about to be replaced: not earlier, since until then it answers them. */
async function retire(client: Client, plan: Plan, { isDry, isHypershift, report, settings }: Writing): Promise<void> {
  if (!isHypershift) return;
  for (const object of await retiredWebhooks(client, plan, settings.namespace))
    if (isDry || (await take(client, object))) report(object, 'deleted');
}

async function available(client: Client, { deployments }: Stage, writing: Writing): Promise<void> {
  if (writing.isDry || !writing.options.wait) return;
  const { io, settings, signal } = writing;
  const rollout = { namespace: settings.namespace, timeoutMs: writing.options.timeout, io, signal };
  for (const name of deployments) {
    if (name === LEGACY_OPERATOR_NAME && !(await isServed(client, CLUSTERS)))
      io.err(
        `note: the cluster serves no ${CLUSTERS.plural}.${CLUSTERS.group}, so nothing is there for ${name}: the operator deletes it\n`,
      );
    else await rolledOut(client, name, rollout);
  }
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
  const lacks = async (given: string | undefined, plural: string): Promise<boolean> =>
    given === undefined && !(await isServed(client, { ...CONFIG, plural }));
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

/**
 * Creates serving certificates before anything names their CA, or renews them; undefined where the service CA issues them.
 * Those that are there are renewed without the option too: without their CA, CRDs and webhooks would be called in vain.
 */
async function certificates(
  client: Client,
  plan: Plan,
  {
    component,
    isDry,
    settings,
  }: { readonly component: Component; readonly settings: InstallSettings; readonly isDry: boolean },
  report: (object: KubeObject, what: Outcome) => void,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { hasOwnCa, namespace } = settings;
  const wanted = component.certificates(settings);
  const home = objectsOf(plan).find(({ kind, metadata }) => kind === 'Namespace' && metadata.name === namespace);
  if (wanted.length > 0 && hasOwnCa && home !== undefined && !isDry) await put(client, home, isDry);
  const now = systemClock().now();
  const bundles: Record<string, string> = {};
  for (const { secret: name, service } of wanted) {
    const place = { namespace, secret: name, service };
    const ensured = await ensureServingSecret(client, place, { now, onlyExisting: !hasOwnCa, dryRun: isDry });
    if (ensured === undefined) continue;
    report({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } }, ensured.outcome);
    bundles[name] = ensured.caBundle;
  }
  return Object.keys(bundles).length === 0 ? undefined : bundles;
}

interface Conditions extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

async function established(client: Client, plan: Plan, limits: Omit<Wait, 'failure'>): Promise<void> {
  for (const definition of [...plan.definitions, ...plan.platformDefinitions]) {
    const { name = '' } = definition.metadata;
    await waitFor(systemClock(), { failure: `${nameOf(definition)} is not served`, ...limits }, async () => {
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
