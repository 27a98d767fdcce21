/** Claims on persistent volumes. */
import { internalView } from '../shared/internal-view.js';
import { forbidden, invalid } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { BASE, keepField, statusUpdate } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkImmutableEnum } from '../shared/checks.js';
import { diffJson } from '../shared/diff.js';
import {
  assign,
  cloneJson,
  defaultText,
  defaultTo,
  ensure,
  equalJson,
  fields,
  record,
  text,
  textMap,
} from '../shared/json.js';
import { compareQuantities, isWhole } from '../shared/quantity.js';
import { sentEmpty } from '../shared/sent-empties.js';
import type { ResourceStrategy } from '../strategy.js';
import { checkClaimSpec } from './claim-spec.js';
import { defaultResourceList } from './pod-defaults.js';
import { needsVersion } from './volumes-persistent.js';

function validateClaim(claim: KubeObject): FieldError[] {
  const out: Errors = [];
  checkClaimSpec(out, 'spec', fields(claim['spec']));
  return out;
}

const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';

// The parts of the new spec that a claim may change are set back, so that what remains must equal the old spec.
function mungedClaim(claim: KubeObject, old: KubeObject): readonly [JsonObject, JsonObject] {
  const spec = cloneJson(fields(claim['spec'])) as JsonObject;
  const before = cloneJson(fields(old['spec'])) as JsonObject;
  if (text(before['volumeName']) === '') assign(before, 'volumeName', spec['volumeName']);
  const annotated = textMap(old.metadata.annotations)[BETA_CLASS];
  const named = spec['storageClassName'];
  if (
    named !== undefined &&
    before['storageClassName'] === undefined &&
    (annotated === undefined || annotated === named)
  )
    delete spec['storageClassName'];
  if (text(fields(claim['status'])['phase']) === 'Bound') {
    const requests = record(fields(spec['resources'])['requests']);
    if (requests) assign(requests, 'storage', fields(fields(before['resources'])['requests'])['storage']);
    assign(spec, 'volumeAttributesClassName', before['volumeAttributesClassName']);
  }
  return [spec, before];
}

function claimDiff(before: unknown, spec: unknown): string {
  const [a, b] = [before, spec].map((each) => internalView('PersistentVolumeClaimSpec', each));
  return diffJson(a, b);
}

/** Lists and maps that a change shows as empty where they were sent so. */
const SHOWN_EMPTIES: readonly (readonly [holder: string, key: string])[] = [
  ['', 'accessModes'],
  ['resources', 'requests'],
  ['resources', 'limits'],
];

function showSentEmpties(claim: KubeObject, spec: JsonObject): void {
  for (const [holder, key] of SHOWN_EMPTIES) {
    const place = holder === '' ? spec : fields(spec[holder]);
    const sent = sentEmpty(claim, holder === '' ? `spec.${key}` : `spec.${holder}.${key}`);
    if (sent === undefined || place[key] !== undefined) continue;
    if (holder === '') spec[key] = sent;
    else spec[holder] = { ...place, [key]: sent };
  }
}

function validateClaimUpdate(claim: KubeObject, old: KubeObject): FieldError[] {
  const out = validateClaim(claim);
  const annotation = textMap(claim.metadata.annotations)[BETA_CLASS] ?? '';
  const annotationBefore = textMap(old.metadata.annotations)[BETA_CLASS] ?? '';
  const upgraded =
    annotationBefore !== '' && fields(claim['spec'])['storageClassName'] === annotationBefore && annotation === '';
  if (!upgraded && annotation !== annotationBefore)
    out.push(invalid(`metadata.annotations.${BETA_CLASS}`, annotation, 'field is immutable'));
  const [spec, before] = mungedClaim(claim, old);
  if (!equalJson(spec, before)) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    showSentEmpties(claim, spec);
    out.push(forbidden('spec', `${detail}\n${claimDiff(before, spec)}`));
  }
  const storage = (obj: KubeObject): unknown => fields(fields(fields(obj['spec'])['resources'])['requests'])['storage'];
  const capacity = fields(fields(old['status'])['capacity'])['storage'];
  if (compareQuantities(storage(claim), storage(old)) < 0 && compareQuantities(storage(claim), capacity) <= 0) {
    out.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  checkImmutableEnum(out, 'volumeMode', fields(claim['spec'])['volumeMode'], fields(old['spec'])['volumeMode']);
  return out;
}

// The old field only ever worked for claims and snapshots; anything else in it alone is dropped, unless it was there.
function dropForeignSource(spec: JsonObject, before: Readonly<JsonObject> = {}): void {
  if (record(before['dataSource']) || record(before['dataSourceRef'])) return;
  // Sources in other namespaces are not there yet.
  if (text(fields(spec['dataSourceRef'])['namespace']) !== '') delete spec['dataSourceRef'];
  const source = record(spec['dataSource']);
  if (!source || record(spec['dataSourceRef'])) return;
  const kind = `${text(source['apiGroup'])}/${text(source['kind'])}`;
  if (kind !== '/PersistentVolumeClaim' && kind !== 'snapshot.storage.k8s.io/VolumeSnapshot') delete spec['dataSource'];
}

// Two ways to name where the data comes from; each fills the other so that readers of either see it.
function syncDataSources(spec: JsonObject): void {
  const source = record(spec['dataSource']);
  const ref = record(spec['dataSourceRef']);
  if (source && !ref) spec['dataSourceRef'] = { ...source };
  else if (ref && !source && text(ref['namespace']) === '') {
    const copy = { ...ref };
    delete copy['namespace'];
    spec['dataSource'] = copy;
  }
}

function claimWarnings(claim: KubeObject): string[] {
  const out: string[] = [];
  if (textMap(claim.metadata.annotations)[BETA_CLASS] !== undefined) {
    out.push(`metadata.annotations[${BETA_CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead`);
  }
  const resources = fields(fields(claim['spec'])['resources']);
  for (const list of ['requests', 'limits']) {
    const amount = fields(resources[list])['storage'];
    if (amount !== undefined && !isWhole(amount)) {
      out.push(
        `spec.resources.${list}[storage]: fractional byte value "${text(amount)}" is invalid, must be an integer`,
      );
    }
  }
  return out;
}

/** Defaults of a claim, also inside a StatefulSet. */
export function defaultClaim(claim: JsonObject): void {
  const spec = ensure(claim, 'spec');
  defaultTo(spec, 'volumeMode', 'Filesystem');
  const resources = ensure(spec, 'resources');
  defaultResourceList(resources['limits']);
  defaultResourceList(resources['requests']);
  defaultText(ensure(claim, 'status'), 'phase', 'Pending');
}

/** Strategy of persistent volume claims. */
export const persistentVolumeClaimStrategy: ResourceStrategy = {
  ...BASE,
  returnsDeletedObject: true,
  applyDefaults: (claim) => defaultClaim(claim as JsonObject),
  prepareForCreate: (claim) => {
    claim['status'] = { phase: 'Pending' };
    dropForeignSource(ensure(claim, 'spec'));
    syncDataSources(ensure(claim, 'spec'));
  },
  validate: validateClaim,
  warningsOnCreate: claimWarnings,
  prepareForUpdate: (claim, old) => {
    keepField(claim, old, 'status');
    dropForeignSource(ensure(claim, 'spec'), fields(old['spec']));
    syncDataSources(ensure(claim, 'spec'));
  },
  validateUpdate: validateClaimUpdate,
  warningsOnUpdate: claimWarnings,
  subresources: { status: statusUpdate(needsVersion) },
};
