import type { Clock } from '@capstan/meta';
import { errorText } from '@capstan/kube/connect';
import type { ReadyzResource } from '../config.js';
import { ALL_NAMESPACES } from '../config.js';

/** What was found when an object was read by the standard name of its group. */
export interface TranslationReport {
  /**
   * `ok`: an object came under its standard group. `nothing-to-read`: so did a list, but without objects. `pending`: what
   * may be read is still being found out, one request per probe.
   */
  readonly state: 'ok' | 'nothing-to-read' | 'pending' | 'failed';
  /** Whether an object was seen, and under its standard group. */
  readonly ok: boolean;
  /** The group that was asked for. */
  readonly asked: string;
  /** The group that the answer names; absent when there was none. */
  readonly got?: string | undefined;
  readonly version?: string | undefined;
  readonly resource?: string | undefined;
  /** Where objects were looked for; absent for all namespaces. */
  readonly namespace?: string | undefined;
  /** The object that was seen, with its namespace. */
  readonly object?: string | undefined;
  readonly message: string;
}

/** Asks the proxy as its clients do: GET, or POST of a body. */
export type Ask = (target: string, body?: string) => Promise<{ readonly status: number; readonly text: string }>;

/** What is read, and how. */
export interface TranslationCheckOptions {
  readonly ask: Ask;
  readonly clock: Clock;
  /** Group of the objects, where no resource is given. */
  readonly group: string;
  /** Where the proxy runs. */
  readonly namespace: string;
  readonly resource: ReadyzResource | undefined;
}

/** Answers are repeated for this long. */
export const REPEATED_MS = 5_000;
/** One step after another is taken no faster than this. */
export const STEP_MS = 500;
/** Read rather than others, in this order: every component of Cluster API may list one of them. */
const PREFERRED = ['machines', 'clusters', 'machinesets', 'machinedeployments'];

interface Discovered {
  readonly preferredVersion?: { readonly version?: string };
}

interface RulesReview {
  readonly status?: {
    readonly resourceRules?: readonly {
      readonly apiGroups?: readonly string[];
      readonly resources?: readonly string[];
      readonly resourceNames?: readonly string[];
      readonly verbs?: readonly string[];
    }[];
  };
}

interface ListOfObjects {
  readonly apiVersion?: string;
  readonly items?: readonly {
    readonly apiVersion?: string;
    readonly metadata?: { readonly name?: string; readonly namespace?: string };
  }[];
}

type Problem = Partial<TranslationReport> & { readonly message: string };

/**
 * Reads an object through the proxy as its clients do, by a kind that its account may list. A probe costs the server at most
 * one request: answers are repeated for a while, probes at the same time share one, and without a given resource the
 * version and the permissions are found out by the first probes, one request each.
 */
export class TranslationCheck {
  readonly #options: TranslationCheckOptions;
  #version: string | undefined;
  #resource: ReadyzResource | undefined;
  #last: { readonly report: TranslationReport; readonly until: number } | undefined;
  #running: Promise<TranslationReport> | undefined;

  constructor(options: TranslationCheckOptions) {
    this.#options = options;
    this.#resource = options.resource;
  }

  /** The present report. */
  run(): Promise<TranslationReport> {
    const { clock } = this.#options;
    if (this.#last !== undefined && clock.monotonic() < this.#last.until) return Promise.resolve(this.#last.report);
    this.#running ??= this.#step()
      .catch((error: unknown) => this.#problem({ message: errorText(error) }))
      .then((report) => {
        const lasts = report.state === 'pending' ? STEP_MS : REPEATED_MS;
        this.#last = { report, until: clock.monotonic() + lasts };
        this.#running = undefined;
        return report;
      });
    return this.#running;
  }

  #step(): Promise<TranslationReport> {
    if (this.#resource !== undefined) return this.#read(this.#resource);
    return this.#version === undefined ? this.#findVersion() : this.#findResource(this.#version);
  }

  async #findVersion(): Promise<TranslationReport> {
    const { ask, group } = this.#options;
    const { status, text } = await ask(`/apis/${group}`);
    if (status === 404)
      return this.#problem({
        message:
          'the server does not serve the group under its private name: install its CRDs with capstan crds mirror',
      });
    if (status !== 200) return this.#problem({ message: `the group cannot be read: ${text.trim()}` });
    const { preferredVersion: { version } = {} } = JSON.parse(text) as Discovered;
    if (version === undefined) return this.#problem({ message: 'the group has no version' });
    this.#version = version;
    return this.#pending('the permissions of the account are read next');
  }

  /** One that the account may list in the namespace of the proxy; permissions on all namespaces are among those. */
  async #findResource(version: string): Promise<TranslationReport> {
    const { ask, group, namespace } = this.#options;
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      metadata: {},
      spec: { namespace },
    };
    const { status, text } = await ask('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', JSON.stringify(review));
    // Who may not ask for its permissions may still have them.
    const resource = status === 201 ? listable(JSON.parse(text) as RulesReview, group) : PREFERRED[0];
    if (resource === undefined)
      return this.#problem({
        version,
        namespace,
        message: `the account may list nothing of ${group} in namespace ${namespace}: grant it, or name what it may list with --readyz-resource`,
      });
    this.#resource = { group, version, resource, namespace: ALL_NAMESPACES };
    return this.#pending(`${resource} are read next`);
  }

  async #read({ group, namespace: given, resource, version }: ReadyzResource): Promise<TranslationReport> {
    const { ask, namespace: own } = this.#options;
    const namespace = given === ALL_NAMESPACES ? undefined : (given ?? own);
    const where = namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`;
    const { status, text } = await ask(`/apis/${group}/${version}/${where}${resource}?limit=1`);
    const about = { version, resource, namespace };
    // Permissions on all namespaces and on one look alike in a review: the wider ones are tried first.
    if (status === 403 && namespace === undefined && this.#options.resource === undefined) {
      this.#resource = { group, version, resource };
      return this.#pending(`${resource} of namespace ${own} are read next`);
    }
    if (status !== 200) {
      // Permissions and versions may have changed since they were found out.
      this.#resource = this.#options.resource;
      this.#version = undefined;
      return this.#problem({ ...about, message: `${resource} cannot be listed: ${text.trim()}` });
    }
    return { ...describeList(group, JSON.parse(text) as ListOfObjects), ...about };
  }

  #pending(message: string): TranslationReport {
    return { state: 'pending', ok: false, asked: this.#options.group, version: this.#version, message };
  }

  #problem(problem: Problem): TranslationReport {
    const asked = this.#options.resource?.group ?? this.#options.group;
    return { state: 'failed', ok: false, asked, ...problem };
  }
}

/** A resource of a group that rules allow to list, all of its objects. */
function listable({ status: { resourceRules = [] } = {} }: RulesReview, group: string): string | undefined {
  const allowed = resourceRules
    .filter(({ apiGroups = [], resourceNames = [], verbs = [] }) => {
      const isOfGroup = apiGroups.includes(group) || apiGroups.includes('*');
      return isOfGroup && resourceNames.length === 0 && (verbs.includes('list') || verbs.includes('*'));
    })
    .flatMap(({ resources = [] }) => resources);
  if (allowed.includes('*')) return PREFERRED[0];
  const whole = allowed.filter((name) => !name.includes('/'));
  return PREFERRED.find((name) => whole.includes(name)) ?? whole.toSorted()[0];
}

/** What a list shows of the translation: the first group in it that is not the one asked for counts. */
function describeList(
  group: string,
  { apiVersion = '', items = [] }: ListOfObjects,
): Pick<TranslationReport, 'asked' | 'got' | 'message' | 'object' | 'ok' | 'state'> {
  const groups = [apiVersion, ...items.map((item) => item.apiVersion ?? apiVersion)].map((text) => groupOf(text));
  const got = groups.find((name) => name !== group) ?? group;
  const [{ metadata } = {}] = items;
  const object = [metadata?.namespace, metadata?.name].filter((part) => part !== undefined).join('/');
  const seen = { asked: group, got, ...(object === '' ? {} : { object }) };
  if (got !== group)
    return { ...seen, state: 'failed', ok: false, message: 'objects come under another group than was asked for' };
  if (items.length === 0)
    return {
      ...seen,
      state: 'nothing-to-read',
      ok: false,
      message: 'the list comes under the standard group, but has no object',
    };
  return { ...seen, state: 'ok', ok: true, message: 'objects come under the standard group' };
}

const groupOf = (apiVersion: string): string => apiVersion.split('/')[0] ?? '';
