import { canonicalJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { ConfigSource } from '../snapshot.js';

/** Configuration of nodes as users give it: which kinds of documents there may be, and what is completed in them. */

/** Texts to be handed on, or what is wrong with what was given. */
export type Texts = { readonly texts: readonly string[] } | { readonly problems: readonly string[] };

type Complete = (document: JsonObject) => JsonObject;

const MACHINES = 'machineconfiguration.openshift.io/v1';
const SETTINGS = 'config.openshift.io/v1';

function field(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** Nodes of a NodePool are workers, whatever role the document names. */
const forWorkers: Complete = (document) => {
  const metadata = field(document, 'metadata');
  const labels = { ...field(metadata, 'labels'), 'machineconfiguration.openshift.io/role': 'worker' };
  return { ...document, metadata: { ...metadata, labels } };
};

/** There are no pools of machine configuration to select: each pool of nodes is rendered for itself. */
const forBuiltin: Complete = (document) => {
  const matchLabels = { 'machineconfiguration.openshift.io/mco-built-in': '' };
  return { ...document, spec: { ...field(document, 'spec'), machineConfigPoolSelector: { matchLabels } } };
};

const asItIs: Complete = (document) => document;

const CONFIG_KINDS: ReadonlyMap<string, Complete> = new Map([
  [`${MACHINES} MachineConfig`, forWorkers],
  [`${MACHINES} KubeletConfig`, forBuiltin],
  [`${MACHINES} ContainerRuntimeConfig`, forBuiltin],
  ['operator.openshift.io/v1alpha1 ImageContentSourcePolicy', asItIs],
  [`${SETTINGS} ImageDigestMirrorSet`, asItIs],
  [`${SETTINGS} ClusterImagePolicy`, asItIs],
  [`${SETTINGS}alpha1 ClusterImagePolicy`, (document) => ({ ...document, apiVersion: SETTINGS })],
]);

const TUNED = 'tuned.openshift.io/v1 Tuned';
const PROFILE = 'performance.openshift.io/v2 PerformanceProfile';
const TUNING_KINDS: ReadonlyMap<string, Complete> = new Map([
  [TUNED, asItIs],
  [PROFILE, asItIs],
]);

interface Read {
  readonly source: string;
  readonly kind: string;
  readonly text: string;
}

function kindOf(document: unknown): string | undefined {
  const { apiVersion, kind } = field({ document }, 'document');
  return typeof apiVersion === 'string' && typeof kind === 'string' ? `${apiVersion} ${kind}` : undefined;
}

function namesOf(kinds: ReadonlyMap<string, Complete>): string {
  return [...new Set([...kinds.keys()].map((kind) => kind.split(' ')[1] ?? ''))].join(', ');
}

function readSource({ documents, map, name }: ConfigSource, kinds: ReadonlyMap<string, Complete>): (Read | string)[] {
  if (map === undefined) return [`ConfigMap ${JSON.stringify(name)} does not exist: create it, or take it out`];
  if ('problem' in documents) return [`ConfigMap ${JSON.stringify(name)}: ${documents.problem}`];
  return documents.map((document, at) => {
    const place = `ConfigMap ${JSON.stringify(name)}, document ${at + 1}`;
    const kind = kindOf(document);
    if (kind === undefined) return `${place}: has no apiVersion and kind`;
    const complete = kinds.get(kind);
    if (complete === undefined) return `${place}: ${kind} cannot be used here; what can: ${namesOf(kinds)}`;
    // JSON is YAML, and in this order two spellings of one document are one configuration.
    return { source: name, kind, text: canonicalJson(complete(document as JsonObject)) };
  });
}

function readAll(
  sources: readonly ConfigSource[],
  kinds: ReadonlyMap<string, Complete>,
): { readonly read: readonly Read[]; readonly problems: readonly string[] } {
  const all = sources.flatMap((source) => readSource(source, kinds));
  return {
    read: all.filter((each) => typeof each !== 'string'),
    problems: all.filter((each) => typeof each === 'string'),
  };
}

/** The configuration of nodes, completed, in an order that depends on nothing but the texts. */
export function configTexts(sources: readonly ConfigSource[]): Texts {
  const { problems, read } = readAll(sources, CONFIG_KINDS);
  return problems.length > 0 ? { problems } : { texts: read.map(({ text }) => text).toSorted() };
}

/** The configuration of a NodePool for the node tuning operator. */
export interface Tuning {
  /** Empty when there is none. */
  readonly tuned: string;
  /** The one performance profile, and the ConfigMap it was given in. */
  readonly profile?: { readonly source: string; readonly text: string } | undefined;
}

/** How many documents are put together into one text. */
export const SEPARATOR = '\n---\n';

/** The tuning that users gave a pool. */
export function tuningOf(sources: readonly ConfigSource[]): Tuning | { readonly problems: readonly string[] } {
  const { problems, read } = readAll(sources, TUNING_KINDS);
  if (problems.length > 0) return { problems };
  const profiles = read.filter(({ kind }) => kind === PROFILE);
  if (profiles.length > 1) {
    const names = profiles.map(({ source }) => source).join(', ');
    return {
      problems: [`a NodePool can have one PerformanceProfile, not ${profiles.length}: see ConfigMaps ${names}`],
    };
  }
  const tuned = read.filter(({ kind }) => kind === TUNED).map(({ text }) => text);
  return { tuned: tuned.toSorted().join(SEPARATOR), profile: profiles[0] };
}
