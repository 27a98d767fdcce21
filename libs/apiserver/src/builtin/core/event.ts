/** Events: one stored shape (core/v1), two views of it. */
import { invalid, required, pushAll } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { plain } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkImmutable, checkQualifiedName, checkSubdomain } from '../shared/checks.js';
import { structText } from '../shared/internal.js';
import { equalJson, fields, integer, record, text } from '../shared/json.js';
import type { ResourceStrategy, StrategyContext } from '../strategy.js';

const TO_EVENTS: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
  reportingComponent: 'reportingController',
};
const TO_CORE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TO_EVENTS).map(([core, events]) => [events, core]),
);
// Fields that core/v1 always writes and events.k8s.io/v1 leaves out when empty.
const ALWAYS_IN_CORE: Readonly<JsonObject> = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};
const ALWAYS_IN_EVENTS: Readonly<JsonObject> = {
  regarding: {},
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
  eventTime: null,
};

/** The same event as `v1` or `events.k8s.io/v1`; the input is not changed, its parts are shared. */
export function convertEvent(event: KubeObject, apiVersion: 'v1' | 'events.k8s.io/v1'): KubeObject {
  if (event.apiVersion === apiVersion) return event;
  const names = apiVersion === 'v1' ? TO_CORE : TO_EVENTS;
  const always = apiVersion === 'v1' ? ALWAYS_IN_CORE : ALWAYS_IN_EVENTS;
  const converted: KubeObject = { ...event, apiVersion, kind: event.kind, metadata: event.metadata };
  for (const key of Object.keys(names)) delete converted[key];
  for (const [from, to] of Object.entries(names)) {
    const value = event[from];
    if (value === undefined) continue;
    if ((value === '' || value === 0) && !Object.hasOwn(always, to)) continue;
    converted[to] = value;
  }
  for (const [key, value] of Object.entries(always))
    if (converted[key] === undefined) converted[key] = value !== null && typeof value === 'object' ? {} : value;
  if (apiVersion === 'events.k8s.io/v1')
    for (const key of ['reportingController', 'reportingInstance']) if (converted[key] === '') delete converted[key];
  return converted;
}

const LIMIT = 128;
const NOTE_LIMIT = 1024;

function checkLength(out: Errors, field: string, value: string, limit: number): void {
  if (Buffer.byteLength(value) > limit) out.push(invalid(field, '', `can have at most ${limit} characters`));
}

function checkNewStyle(out: Errors, event: KubeObject, asCore: boolean): void {
  const controller = text(event['reportingComponent']);
  const field = asCore ? 'reportingComponent' : 'reportingController';
  if (controller === '') out.push(required(field));
  checkQualifiedName(out, field, controller);
  for (const key of ['reportingInstance', 'action', 'reason']) {
    const value = text(event[key]);
    if (value === '') out.push(required(key));
    checkLength(out, key, value, LIMIT);
  }
  checkLength(out, 'message', text(event['message']), NOTE_LIMIT);
}

// Holds for events however they were written; `event` is in the stored shape.
function checkAlways(out: Errors, event: KubeObject, asCore: boolean): void {
  const namespace = event.metadata.namespace ?? '';
  const involved = text(fields(event['involvedObject'])['namespace']);
  const mismatch = invalid('involvedObject.namespace', involved, 'does not match event.namespace');
  if (!event['eventTime']) {
    const fine = involved === '' ? namespace === '' || namespace === 'default' : namespace === involved;
    if (!fine) out.push(mismatch);
  } else {
    if (involved === '' && namespace !== 'default' && namespace !== 'kube-system') out.push(mismatch);
    checkNewStyle(out, event, asCore);
  }
  checkSubdomain(out, 'namespace', namespace);
}

function checkSeries(out: Errors, event: KubeObject): void {
  const series = record(event['series']);
  if (!series) return;
  if ((integer(series['count']) ?? 0) < 2) out.push(invalid('series.count', '', 'should be at least 2'));
  if (!series['lastObservedTime']) out.push(required('series.lastObservedTime'));
}

function checkStrict(out: Errors, event: KubeObject): void {
  checkSeries(out, event);
  if (!event['eventTime']) out.push(required('eventTime'));
  const type = text(event['type']);
  if (type !== 'Normal' && type !== 'Warning') out.push(invalid('type', '', `has invalid value: ${type}`));
  for (const key of ['firstTimestamp', 'lastTimestamp', 'count'])
    if (event[key]) out.push(invalid(key, '', 'needs to be unset'));
  const source = fields(event['source']);
  if (text(source['component']) !== '' || text(source['host']) !== '')
    out.push(invalid('source', '', 'needs to be unset'));
}

const TIMES = new Set(['firstTimestamp', 'lastTimestamp', 'eventTime']);
const INTERNAL_REFERENCE = {
  Kind: 'kind',
  Namespace: 'namespace',
  Name: 'name',
  UID: 'uid',
  APIVersion: 'apiVersion',
  ResourceVersion: 'resourceVersion',
  FieldPath: 'fieldPath',
};

const IMMUTABLE: readonly (readonly [string, string])[] = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  // The real server checks it twice, and counts two causes.
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  involvedObject: INTERNAL_REFERENCE,
  related: INTERNAL_REFERENCE,
  source: { Component: 'component', Host: 'host' },
};

/** A part of an event as the server has it: structs with all their fields, texts that are there even when they are empty. */
function shownPart(key: string, value: unknown): unknown {
  const names = PARTS[key];
  if (names === undefined) return value ?? (key === 'count' ? 0 : TIMES.has(key) ? null : '');
  if (key === 'related' && value === undefined) return null;
  return structText(
    Object.fromEntries(Object.entries(names).map(([shown, name]) => [shown, text(fields(value)[name])])),
  );
}

/** Events are stored as those of core, whose rules hold for all; the newer group asks for more. */
function validateNew(isCore: boolean): (event: KubeObject, ctx: StrategyContext) => FieldError[] {
  return (event, { metadataErrors = [] }) => {
    const out: Errors = [];
    const stored = convertEvent(event, 'v1');
    checkAlways(out, stored, isCore);
    if (isCore) return out;
    pushAll(out, metadataErrors);
    checkStrict(out, stored);
    return out;
  };
}

function validateChange(isCore: boolean): (event: KubeObject, old: KubeObject, ctx: StrategyContext) => FieldError[] {
  return (event, old, { repeated }) => {
    const out: Errors = [];
    const stored = convertEvent(event, 'v1');
    const before = convertEvent(old, 'v1');
    checkAlways(out, stored, isCore);
    if (isCore) return out;
    pushAll(out, repeated?.asChange ?? []);
    const changed: Errors = [];
    checkImmutable(changed, 'series', stored['series'], before['series']);
    if (changed.length > 0) checkSeries(out, stored);
    for (const [key, field] of IMMUTABLE) {
      if (!equalJson(stored[key], before[key]))
        out.push(invalid(field, shownPart(key, stored[key]), 'field is immutable'));
    }
    return out;
  };
}

const involved =
  (key: string) =>
  (event: KubeObject): string =>
    text(fields(convertEvent(event, 'v1')['involvedObject'])[key]);
const core =
  (key: string) =>
  (event: KubeObject): string =>
    text(convertEvent(event, 'v1')[key]);
const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

function shared(isCore: boolean): Partial<ResourceStrategy> {
  return {
    allowCreateOnUpdate: true,
    defaultGarbageCollection: 'Unsupported',
    validate: validateNew(isCore),
    metadataComplaints: isCore ? 'last' : 'within',
    validateUpdate: validateChange(isCore),
    nameValidator: isCore ? 'path-segment' : 'dns1123-subdomain',
  };
}

/** Strategy of core/v1 events. */
export const eventStrategy: ResourceStrategy = plain({
  ...shared(true),
  fieldLabels: {
    ...Object.fromEntries(REFERENCE.map((key) => [`involvedObject.${key}`, involved(key)])),
    reason: core('reason'),
    reportingComponent: core('reportingComponent'),
    source: (event) => text(fields(event['source'])['component']) || text(event['reportingComponent']),
    type: core('type'),
  },
});

/** Strategy of events.k8s.io/v1 events: the same store under other names. */
export const eventsGroupStrategy: ResourceStrategy = plain({
  ...shared(false),
  fieldLabels: {
    ...Object.fromEntries(REFERENCE.map((key) => [`regarding.${key}`, involved(key)])),
    reason: core('reason'),
    reportingController: core('reportingComponent'),
    type: core('type'),
  },
});
