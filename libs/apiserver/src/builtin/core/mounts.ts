/** What of the pod's volumes a container mounts. */
import { forbidden, invalid, notFound, required } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkEnum } from '../shared/checks.js';
import { fields, record, records, text } from '../shared/json.js';
import { checkDescendingPath } from './paths.js';

function checkPropagation(out: Errors, path: string, mount: JsonObject, container: JsonObject): void {
  const propagation = mount['mountPropagation'];
  if (typeof propagation === 'string') {
    const field = `${path}.mountPropagation`;
    checkEnum(out, field, propagation, ['Bidirectional', 'HostToContainer', 'None']);
    const privileged = fields(container['securityContext'])['privileged'] === true;
    if (propagation === 'Bidirectional' && !privileged) {
      out.push(forbidden(field, 'Bidirectional mount propagation is available only to privileged containers'));
    }
  }
  const recursive = mount['recursiveReadOnly'];
  if (typeof recursive !== 'string' || recursive === 'Disabled') return;
  const field = `${path}.recursiveReadOnly`;
  checkEnum(out, field, recursive, ['Disabled', 'Enabled', 'IfPossible']);
  if (recursive !== 'Enabled' && recursive !== 'IfPossible') return;
  if (mount['readOnly'] !== true) out.push(forbidden(field, 'may only be specified when readOnly is true'));
  if (propagation !== undefined && propagation !== 'None') {
    out.push(forbidden(field, 'may only be specified when mountPropagation is None or not specified'));
  }
}

function checkMounts(out: Errors, path: string, container: JsonObject, volumes: ReadonlyMap<string, JsonObject>): void {
  const devices = records(container['volumeDevices']);
  const points = new Set<string>();
  records(container['volumeMounts']).forEach((mount, i) => {
    const at = `${path}[${i}]`;
    const name = text(mount['name']);
    const point = text(mount['mountPath']);
    if (name === '') out.push(required(`${at}.name`));
    if (!volumes.has(name)) out.push(notFound(`${at}.name`, name));
    if (point === '') out.push(required(`${at}.mountPath`));
    if (points.has(point)) out.push(invalid(`${at}.mountPath`, point, 'must be unique'));
    points.add(point);
    if (devices.some((device) => device['name'] === name))
      out.push(invalid(`${at}.name`, name, 'must not already exist in volumeDevices'));
    if (devices.some((device) => device['devicePath'] === point)) {
      out.push(invalid(`${at}.mountPath`, point, 'must not already exist as a path in volumeDevices'));
    }
    const subPath = text(mount['subPath']);
    const subPathExpr = text(mount['subPathExpr']);
    // The server leaves the index out of these paths.
    if (subPath !== '') checkDescendingPath(out, `${path}.subPath`, subPath);
    if (subPathExpr !== '') {
      if (subPath !== '')
        out.push(invalid(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      checkDescendingPath(out, `${path}.subPathExpr`, subPathExpr);
    }
    checkPropagation(out, path, mount, container);
  });
}

function canBeBlock(volume: JsonObject): boolean {
  return record(volume['persistentVolumeClaim']) !== undefined || record(volume['ephemeral']) !== undefined;
}

function checkDevices(
  out: Errors,
  path: string,
  container: JsonObject,
  volumes: ReadonlyMap<string, JsonObject>,
): void {
  const mounts = records(container['volumeMounts']);
  const names = new Set<string>();
  const points = new Set<string>();
  records(container['volumeDevices']).forEach((device, i) => {
    const at = `${path}[${i}]`;
    const name = text(device['name']);
    const point = text(device['devicePath']);
    const volume = volumes.get(name);
    if (name === '') out.push(required(`${at}.name`));
    if (names.has(name)) out.push(invalid(`${at}.name`, name, 'must be unique'));
    if (volume && !canBeBlock(volume)) {
      out.push(
        invalid(
          `${at}.name`,
          name,
          'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ),
      );
    }
    if (!volume) out.push(notFound(`${at}.name`, name));
    if (point === '') out.push(required(`${at}.devicePath`));
    if (points.has(point)) out.push(invalid(`${at}.devicePath`, point, 'must be unique'));
    if (point.split('/').includes('..'))
      out.push(invalid(`${at}.devicePath`, point, "can not contain backsteps ('..')"));
    else points.add(point);
    if (mounts.some((mount) => mount['name'] === name))
      out.push(invalid(`${at}.name`, name, 'must not already exist in volumeMounts'));
    if (mounts.some((mount) => mount['mountPath'] === point)) {
      out.push(invalid(`${at}.devicePath`, point, 'must not already exist as a path in volumeMounts'));
    }
    if (name !== '') names.add(name);
  });
}

/** Mounts and block devices of one container. */
export function checkMountsAndDevices(
  out: Errors,
  path: string,
  container: JsonObject,
  volumes: ReadonlyMap<string, JsonObject>,
): void {
  checkMounts(out, `${path}.volumeMounts`, container, volumes);
  checkDevices(out, `${path}.volumeDevices`, container, volumes);
}
