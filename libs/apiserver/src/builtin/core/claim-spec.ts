/** What a volume claim asks for: shared by claims, claim templates and ephemeral volumes. */
import {
  atKey,
  checkAnnotations,
  checkLabelSelector,
  checkLabels,
  checkOptionalEnum,
  checkSubdomain,
  checkText,
} from '../shared/checks.js';
import { typedText } from '../../codec/index.js';
import { forbidden, invalid, notSupported, required } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { equalJson, fields, record, text, texts } from '../shared/json.js';
import { nanosOf } from '../shared/quantity.js';
import { dnsLabelErrors } from '../shared/texts.js';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Access modes of claims and volumes; `detail` is the error when there is none. */
export function checkAccessModes(out: Errors, path: string, modes: readonly string[], detail: string): void {
  if (modes.length === 0) out.push(required(path, detail));
  for (const mode of modes)
    if (!ACCESS_MODES.includes(mode)) out.push(notSupported(path, typedText(mode), ACCESS_MODES));
  const exclusive = modes.includes('ReadWriteOncePod');
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (exclusive && others) out.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
}

/** Block or file system. */
export function checkVolumeMode(out: Errors, field: string, mode: unknown): void {
  checkOptionalEnum(out, field, mode, ['Block', 'Filesystem']);
}

function checkDataSource(out: Errors, path: string, source: JsonObject): void {
  for (const key of ['name', 'kind']) if (text(source[key]) === '') out.push(required(`${path}.${key}`));
  const group = text(source['apiGroup']);
  const kind = text(source['kind']);
  if (group === '' && kind !== 'PersistentVolumeClaim') {
    out.push(invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (group !== '') checkSubdomain(out, `${path}.apiGroup`, group);
  const namespace = text(source['namespace']);
  if (namespace !== '') checkText(out, `${path}.namespace`, namespace, dnsLabelErrors(namespace));
}

/** The spec of a claim. */
export function checkClaimSpec(out: Errors, path: string, spec: Readonly<JsonObject>): void {
  checkAccessModes(out, `${path}.accessModes`, texts(spec['accessModes']), 'at least 1 access mode is required');
  checkLabelSelector(out, `${path}.selector`, spec['selector']);
  const requests = fields(fields(spec['resources'])['requests']);
  const storage = requests['storage'];
  const at = atKey(`${path}.resources`, 'storage');
  if (storage === undefined) out.push(required(at));
  else if (nanosOf(storage) <= 0n) out.push(invalid(at, storage, 'must be greater than zero'));
  const className = text(spec['storageClassName']);
  if (className !== '') checkSubdomain(out, `${path}.storageClassName`, className);
  checkVolumeMode(out, `${path}.volumeMode`, spec['volumeMode']);
  const source = record(spec['dataSource']);
  const ref = record(spec['dataSourceRef']);
  if (source) checkDataSource(out, `${path}.dataSource`, source);
  if (ref) checkDataSource(out, `${path}.dataSourceRef`, ref);
  if (source && ref) {
    if (text(ref['namespace']) !== '')
      out.push(invalid(path, `${path}.dataSource`, 'may not be specified when dataSourceRef.namespace is specified'));
    else if (!equalJson(source, ref)) out.push(invalid(path, `${path}.dataSource`, 'must match dataSourceRef'));
  }
  const attributes = text(spec['volumeAttributesClassName']);
  if (attributes !== '') checkSubdomain(out, `${path}.volumeAttributesClassName`, attributes);
}

/** Templates may carry labels and annotations, nothing else. */
export function checkTemplateMeta(out: Errors, path: string, metadata: unknown): void {
  const meta = fields(metadata);
  checkAnnotations(out, `${path}.annotations`, meta['annotations']);
  checkLabels(out, `${path}.labels`, meta['labels']);
  for (const key of Object.keys(meta)) {
    if (key === 'annotations' || key === 'labels' || meta[key] === null) continue;
    out.push(forbidden(`${path}.${key}`, 'cannot be set'));
  }
}
