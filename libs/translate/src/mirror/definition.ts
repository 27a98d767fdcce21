import { compareBytes } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { GroupMapping } from '../groups/mapping.js';
import { swapDeprecation } from '../surfaces/messages.js';
import { INJECT_CA_ANNOTATION, shimStanza, SOURCE_WEBHOOK_ANNOTATION, sourceClientConfig } from './conversion.js';
import type { ConversionTarget } from './conversion.js';
import { MirrorError } from './errors.js';
import { mentionsOf } from './mentions.js';

/** What a private CRD is derived with. */
export interface MirrorOptions extends ConversionTarget {
  readonly mapping: GroupMapping;
}

/** A private CRD, and what its installer should know. */
export interface Mirrored {
  readonly definition: KubeObject;
  /** Its versions are to be converted, and the source does not say by whom. */
  readonly lacksWebhook: boolean;
  readonly warnings: readonly string[];
}

const API_VERSION = 'apiextensions.k8s.io/v1';
const KIND = 'CustomResourceDefinition';
const LONGEST_NAME = 253;
const LONGEST_LABEL = 63;

/** Its CA injector would fight over the caBundle with the one that the private CRD names. */
const CERT_MANAGER = 'cert-manager.io/';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The parts of a CRD that are looked at; everything else is kept as it is. */
interface Source {
  readonly name: string;
  readonly group: string;
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
  readonly versions: readonly JsonObject[];
  readonly plural: string;
}

/**
 * The private CRD of a standard CustomResourceDefinition: the same kind under the private group, its versions
 * converted by the shim. Of the metadata only labels and annotations go along: an owner or a finalizer of the platform
 * must not decide about what is not the platform's.
 */
export function mirrorDefinition(object: unknown, options: MirrorOptions): Mirrored {
  const source = readSource(object);
  const { mapping } = options;
  const { metadata, spec, versions } = source;
  const name = privateName(source, mapping);
  const conversion = planConversion(source, options);
  const { conversion: _, ...rest } = spec;
  const definition: KubeObject = {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: {
      name,
      ...optional('labels', texts(metadata['labels'])),
      ...optional('annotations', annotationsOf(source, options, conversion.sentToShim)),
    },
    spec: {
      conversion: conversion.stanza,
      ...rest,
      group: mapping.swap(source.group),
      names: ownNames(spec['names']),
      versions: versions.map((version) => privateVersion(version, mapping)),
    },
  };
  const { sentToShim } = conversion;
  const lacksWebhook = sentToShim && sourceClientConfig(spec['conversion']) === undefined;
  return { definition, lacksWebhook, warnings: mentionsOf(name, versions, mapping) };
}

/** Whether a name is that of a standard CRD, which has a private counterpart. */
export function isStandardName(name: string, mapping: GroupMapping): boolean {
  return mapping.sideAfterDot(name) === 'standard';
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readSource(object: unknown): Source {
  if (!isRecord(object)) throw new MirrorError('NOT_A_DEFINITION', 'this is no Kubernetes object');
  const { apiVersion, kind, metadata } = object;
  if (kind !== KIND || apiVersion !== API_VERSION)
    throw new MirrorError('NOT_A_DEFINITION', `expected ${KIND} of ${API_VERSION}, found ${described(object)}`);
  if (!isRecord(metadata) || typeof metadata['name'] !== 'string') throw missing('metadata.name');
  return { name: metadata['name'], metadata, ...readSpec(object['spec']) };
}

function readSpec(spec: unknown): Omit<Source, 'name' | 'metadata'> {
  if (!isRecord(spec) || typeof spec['group'] !== 'string') throw missing('spec.group');
  const { group, names, versions } = spec;
  if (!isRecord(names) || typeof names['plural'] !== 'string') throw missing('spec.names.plural');
  if (!Array.isArray(versions) || versions.length === 0 || !versions.every(isRecord)) throw missing('spec.versions');
  return { group: group as string, plural: names['plural'], spec, versions };
}

function missing(field: string): MirrorError {
  return new MirrorError('NOT_A_DEFINITION', `${KIND} without ${field}`);
}

function described({ apiVersion, kind, metadata }: JsonObject): string {
  const name = isRecord(metadata) && typeof metadata['name'] === 'string' ? ` ${metadata['name']}` : '';
  const what = typeof kind === 'string' ? `${kind}${name}` : 'an object without kind';
  return typeof apiVersion === 'string' ? `${what} of ${apiVersion}` : `${what} without apiVersion`;
}

function privateName({ group, name, plural }: Source, mapping: GroupMapping): string {
  if (name !== `${plural}.${group}`)
    throw new MirrorError('NOT_A_DEFINITION', `${name} should be named ${plural}.${group} by its plural and group`);
  const side = mapping.side(group);
  if (side === 'private') throw new MirrorError('ALREADY_PRIVATE', `${name} is private already`);
  if (side === undefined)
    throw new MirrorError('NOT_STANDARD', `${name} is not of Cluster API: its group ${group} has no private name`);
  const mirrored = mapping.swapAfterDot(name);
  if (mirrored.length > LONGEST_NAME)
    throw new MirrorError(
      'TOO_LONG',
      `${name} would be ${mirrored}, ${mirrored.length} characters long: names have at most ${LONGEST_NAME}`,
    );
  const label = mirrored.split('.').find(({ length }) => length > LONGEST_LABEL);
  if (label !== undefined)
    throw new MirrorError(
      'TOO_LONG',
      `${name} would be ${mirrored}, in which ${label} is ${label.length} characters long: at most ${LONGEST_LABEL} are allowed between dots`,
    );
  return mirrored;
}

interface ConversionPlan {
  readonly stanza: JsonObject;
  readonly sentToShim: boolean;
}

/** A kind of one version is never converted; strategy None of the source CRD is kept. */
function planConversion({ spec, versions }: Source, options: MirrorOptions): ConversionPlan {
  const { conversion } = spec;
  const isUnconverted = isRecord(conversion) && conversion['strategy'] === 'None';
  if (versions.length === 1 || isUnconverted) return { stanza: { strategy: 'None' }, sentToShim: false };
  return { stanza: shimStanza(options), sentToShim: true };
}

function annotationsOf(
  { metadata, spec }: Source,
  { caBundle }: MirrorOptions,
  sentToShim: boolean,
): Readonly<Record<string, string>> {
  const kept = Object.entries(texts(metadata['annotations'])).filter(
    ([key]) => !key.startsWith(CERT_MANAGER) && key !== LAST_APPLIED && key !== INJECT_CA_ANNOTATION,
  );
  if (sentToShim) {
    const clientConfig = sourceClientConfig(spec['conversion']);
    if (clientConfig !== undefined) kept.push([SOURCE_WEBHOOK_ANNOTATION, JSON.stringify(clientConfig)]);
    if (caBundle === undefined) kept.push([INJECT_CA_ANNOTATION, 'true']);
  }
  return Object.fromEntries(kept.toSorted(([one], [other]) => compareBytes(one, other)));
}

/** Short names and categories stay with the platform's kinds: `kubectl get ma` must not mean another group than before. */
function ownNames(names: unknown): unknown {
  if (!isRecord(names)) return names;
  const { categories: _, shortNames: __, ...own } = names;
  return own;
}

function privateVersion(version: JsonObject, mapping: GroupMapping): JsonObject {
  const { deprecationWarning } = version;
  if (typeof deprecationWarning !== 'string') return version;
  return { ...version, deprecationWarning: swapDeprecation(mapping, deprecationWarning) };
}

function texts(value: unknown): Readonly<Record<string, string>> {
  return isRecord(value) ? (value as Record<string, string>) : {};
}

function optional<K extends string>(
  key: K,
  value: Readonly<Record<string, string>>,
): Partial<Record<K, Record<string, string>>> {
  if (Object.keys(value).length === 0) return {};
  return { [key]: value } as Record<K, Record<string, string>>;
}
