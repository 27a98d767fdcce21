import { required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { plain } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkLabel, checkQualifiedName, checkRequiredEnum, checkSubdomain, checkText } from '../shared/checks.js';
import { checkEndpointIP, checkIP } from '../shared/ip.js';
import { defaultText, equalJson, integer, records, text } from '../shared/json.js';
import { portNumberErrors } from '../shared/texts.js';
import type { ResourceStrategy } from '../strategy.js';

function checkAddress(out: Errors, path: string, address: JsonObject): void {
  const ip = text(address['ip']);
  checkIP(out, `${path}.ip`, ip);
  if (text(address['hostname']) !== '') checkLabel(out, `${path}.hostname`, text(address['hostname']));
  if (address['nodeName'] !== undefined) checkSubdomain(out, `${path}.nodeName`, text(address['nodeName']));
  checkEndpointIP(out, `${path}.ip`, ip);
}

function checkPort(out: Errors, path: string, port: JsonObject, needsName: boolean): void {
  const name = text(port['name']);
  if (name !== '') checkLabel(out, `${path}.name`, name);
  else if (needsName) out.push(required(`${path}.name`));
  const number = integer(port['port']) ?? 0;
  checkText(out, `${path}.port`, number, portNumberErrors(number));
  checkRequiredEnum(out, `${path}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']);
  if (port['appProtocol'] !== undefined) checkQualifiedName(out, `${path}.appProtocol`, text(port['appProtocol']));
}

function validate(endpoints: KubeObject): FieldError[] {
  const out: Errors = [];
  records(endpoints['subsets']).forEach((subset, i) => {
    const path = `subsets[${i}]`;
    const ready = records(subset['addresses']);
    const notReady = records(subset['notReadyAddresses']);
    if (ready.length === 0 && notReady.length === 0)
      out.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
    ready.forEach((address, j) => checkAddress(out, `${path}.addresses[${j}]`, address));
    notReady.forEach((address, j) => checkAddress(out, `${path}.notReadyAddresses[${j}]`, address));
    const ports = records(subset['ports']);
    ports.forEach((port, j) => checkPort(out, `${path}.ports[${j}]`, port, ports.length > 1));
  });
  return out;
}

/** Strategy of endpoints. */
export const endpointsStrategy: ResourceStrategy = plain({
  allowCreateOnUpdate: true,
  applyDefaults: (endpoints) => {
    for (const subset of records(endpoints['subsets']))
      for (const port of records(subset['ports'])) defaultText(port, 'protocol', 'TCP');
  },
  validate,
  validateUpdate: (endpoints, old) => (equalJson(endpoints['subsets'], old['subsets']) ? [] : validate(endpoints)),
});
