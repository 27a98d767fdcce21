import { Converger, convertObject, exactly, Manager, overlay, sleep } from '@capstan/kube';
import type { Client, ConvertedKind } from '@capstan/kube';
import { ignoreNotFound, isAlreadyExists, isNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { collectedOracles } from '../oracles/general.js';
import type { Scenario, Step, StepContext, SimulationState } from '../scenario.js';
import type { ProcessContext, ProcessDefinition } from '../engine/process.js';
import { collectorProcess } from './processes.js';
import { CONFIG_MAPS } from './resources.js';

const GROUP = 'sim.example.com';
const AT = { namespace: 'default' };
const HOOKS_URL = 'https://hooks.default.svc';
const MARK = 'seen-by-webhook';

const site = (version: string) => ({ group: GROUP, version, plural: 'sites', kind: 'Site', namespaced: true });
const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false };
const MUTATING = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'mutatingwebhookconfigurations',
  namespaced: false,
};

interface Site extends KubeObject {
  readonly spec?: { readonly host?: string; readonly hosts?: readonly string[] };
}

interface Page extends KubeObject {
  data?: Readonly<Record<string, string>>;
}

/** `v1` has one host, `v2` a list; stored is `v2`. */
const SITES: ConvertedKind = {
  group: GROUP,
  kind: 'Site',
  hub: 'v2',
  spokes: {
    v1: {
      toHub: (object) => ({ ...object, spec: { hosts: [(object as Site).spec?.host ?? ''] } }),
      fromHub: (object) => ({ ...object, spec: { host: (object as Site).spec?.hosts?.[0] ?? '' } }),
    },
  },
};

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly KubeObject[];
  };
}

/** Serves the conversion of sites, and marks every page that is written. */
const hooksProcess: ProcessDefinition = {
  name: 'hooks',
  start: ({ serve }) => {
    serve(`${HOOKS_URL}/convert`, (given) => {
      const { apiVersion, kind, request } = given as Review;
      const convertedObjects = request.objects.map((each) => convertObject([SITES], each, request.desiredAPIVersion));
      return { apiVersion, kind, response: { uid: request.uid, convertedObjects, result: { status: 'Success' } } };
    });
    serve(`${HOOKS_URL}/mark`, (given) => {
      const { apiVersion, kind, request } = given as Review & { request: { object: Page } };
      const path = request.object.metadata.labels === undefined ? '/metadata/labels' : `/metadata/labels/${MARK}`;
      const value = request.object.metadata.labels === undefined ? { [MARK]: 'yes' } : 'yes';
      const patch = Buffer.from(JSON.stringify([{ op: 'add', path, value }])).toString('base64');
      return { apiVersion, kind, response: { uid: request.uid, allowed: true, patchType: 'JSONPatch', patch } };
    });
  },
};

function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch(ignoreNotFound);
}

async function writePage(
  client: Client,
  { metadata: { name = '', namespace = '', uid = '' }, spec }: Site,
  pageName: string,
) {
  const owner = { apiVersion: `${GROUP}/v1`, kind: 'Site', name, uid, controller: true };
  // The page of an earlier site of that name gets this owner in place of the other.
  const converger = new Converger({ client, merge: (existing, desired) => overlay(existing, desired) as KubeObject });
  const metadata = { name: pageName, namespace, ownerReferences: [owner] };
  await converger.ensure(
    { ...CONFIG_MAPS, kind: 'ConfigMap' },
    { metadata, data: exactly({ host: spec?.host ?? '' }) },
  );
}

/** Keeps a page with the host of every site, as an operator of this runtime does. */
async function runOperator({ transport, clock, random, logger, signal, sometimes }: ProcessContext): Promise<void> {
  const manager = new Manager({ transport, clock, random, logger, sometimes, cache: { resyncMs: 0 } });
  const sites = site('v1');
  const controller = manager.controller({
    name: 'pages',
    backoff: { maxMs: 30_000 },
    reconcile: async ({ name, namespace }) => {
      const found = await ifThere(manager.cache.get<Site>(sites, name, { namespace }));
      if (found === undefined || found.metadata.deletionTimestamp != null) return;
      const pageName = `page-${name}`;
      const page = await ifThere(manager.cache.get<Page>(CONFIG_MAPS, pageName, { namespace }));
      // The cache may not know yet that the site is gone: what is made for it then is deleted, and made, and deleted.
      const isGone = async (): Promise<boolean> =>
        (await ifThere(manager.apiReader.get(sites, name, { namespace })))?.metadata.uid !== found.metadata.uid;
      if (page === undefined && (await isGone())) return;
      await writePage(manager.client, found, pageName);
    },
  });
  controller.for(sites).owns(CONFIG_MAPS);
  await manager.run(signal);
}

/** Tries again what a webhook refused: people do. */
function insistently(name: string, act: (context: StepContext) => Promise<unknown>): Step {
  return {
    name,
    run: async (context) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await act(context);
        } catch (error) {
          if (isAlreadyExists(error)) return undefined;
          if (isNotFound(error) && !name.startsWith('create')) return undefined;
          if (attempt === 40) throw error;
          await sleep(context.clock, 2_000);
        }
      }
    },
  };
}

function definition(): KubeObject {
  const version = (name: string, storage: boolean, properties: JsonObject): JsonObject => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
  });
  const clientConfig = { url: `${HOOKS_URL}/convert` };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `sites.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'sites', singular: 'site', kind: 'Site', listKind: 'SiteList' },
      versions: [
        version('v1', false, { host: { type: 'string' } }),
        version('v2', true, { hosts: { type: 'array', items: { type: 'string' } } }),
      ],
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    },
  };
}

function marking(): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'marks' },
    webhooks: [
      {
        name: 'marks.sim.example.com',
        clientConfig: { url: `${HOOKS_URL}/mark` },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'UPDATE'] }],
        failurePolicy: 'Fail',
        timeoutSeconds: 5,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}

const create = (name: string, host: string): Step =>
  insistently(`create ${name}`, ({ client }) => {
    const spec = { host };
    return client.create(site('v1'), { apiVersion: `${GROUP}/v1`, kind: 'Site', metadata: { name, ...AT }, spec });
  });

const move = (name: string, host: string): Step =>
  insistently(`move ${name}`, ({ client }) => {
    const value = { spec: { hosts: [host] } };
    return client.patch(site('v2'), name, { type: 'merge', value }, AT);
  });

const remove = (name: string): Step =>
  insistently(`delete ${name}`, ({ client }) => client.delete(site('v1'), name, AT));

/** Every site has its page, with its host and the mark of the webhook; no other page is there. */
function pagesGoal(state: SimulationState): readonly string[] {
  const sites = state.of<Site>(`${GROUP}/sites`);
  const pages = state.of<Page>('configmaps').filter(({ metadata }) => metadata.name?.startsWith('page-') === true);
  const mark = state.of('admissionregistration.k8s.io/mutatingwebhookconfigurations').length > 0 ? 'yes' : undefined;
  const wrong = sites.flatMap(({ apiVersion, metadata, spec }) => {
    const page = pages.find((each) => each.metadata.name === `page-${metadata.name ?? ''}`);
    const isRight = page?.data?.['host'] === spec?.hosts?.[0] && page?.metadata.labels?.[MARK] === mark;
    return isRight && apiVersion === `${GROUP}/v2` ? [] : [`Site ${metadata.name ?? ''} has no page that fits`];
  });
  return pages.length === sites.length ? wrong : [...wrong, `${sites.length} sites have ${pages.length} pages`];
}

/** An operator of this runtime, of a kind in two versions, with webhooks that fail. */
export const operatorScenario: Scenario = {
  name: 'operator',
  about: 'An operator keeps a page per site; conversion and admission webhooks time out, refuse and answer nonsense',
  processes: [{ name: 'operator', start: (context) => runOperator(context) }, hooksProcess, collectorProcess()],
  steps: [
    insistently('create kind', ({ client }) => client.create(CRDS, definition())),
    insistently('create marks', ({ client }) => client.create(MUTATING, marking())),
    create('one', 'one.example'),
    create('two', 'two.example'),
    create('three', 'three.example'),
    move('one', 'uno.example'),
    remove('two'),
    move('three', 'tre.example'),
  ],
  oracles: collectedOracles,
  faultsForMs: 120_000,
  stepGapMs: 10_000,
  convergeWithinMs: 20 * 60_000,
  quietMs: 5 * 60_000,
  goal: pagesGoal,
};
