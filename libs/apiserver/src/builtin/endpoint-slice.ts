import { duplicate, invalid, required, tooMany } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { BASE, setGeneration } from './base.js';
import type { Errors } from './shared/checks.js';
import {
  checkEnum,
  checkImmutableEnum,
  checkLabel,
  checkQualifiedName,
  checkSubdomain,
  checkText,
} from './shared/checks.js';
import { checkEndpointIP, checkIP, isIPv6 } from './shared/ip.js';
import { defaultTo, equalJson, fields, records, text, texts } from './shared/json.js';
import { labelValueErrors } from './shared/names.js';
import { dnsSubdomainErrors } from './shared/texts.js';
import type { ResourceStrategy } from './strategy.js';

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20000;
const MAX_HINTS = 8;

function checkAddress(out: Errors, path: string, i: number, address: string, type: string): void {
  const field = `${path}[${i}]`;
  if (type === 'FQDN') {
    const name = address.replace(/\.$/, '');
    const complaints = dnsSubdomainErrors(name);
    if (address === '') out.push(required(field));
    else if (complaints.length > 0) out.push(invalid(field, name, complaints.join(',')));
    else if (!name.includes('.'))
      out.push(invalid(field, name, 'should be a domain with at least two segments separated by dots'));
    return;
  }
  if (type !== 'IPv4' && type !== 'IPv6') return;
  if (!checkIP(out, field, address)) return;
  if (isIPv6(address) !== (type === 'IPv6')) out.push(invalid(path, address, `must be an ${type} address`));
  checkEndpointIP(out, field, address);
}

function checkHints(out: Errors, path: string, hints: Readonly<JsonObject>): void {
  for (const key of ['forZones', 'forNodes']) {
    const list = records(hints[key]);
    if (list.length > MAX_HINTS) {
      out.push(tooMany(`${path}.${key}`, list.length, MAX_HINTS));
      return;
    }
    const seen = new Set<string>();
    list.forEach((hint, i) => {
      const field = `${path}.${key}[${i}].name`;
      const name = text(hint['name']);
      if (seen.has(name)) out.push(duplicate(field, name));
      seen.add(name);
      if (key === 'forZones') checkText(out, field, name, labelValueErrors(name));
      else checkSubdomain(out, field, name);
    });
  }
}

function checkEndpoints(out: Errors, slice: KubeObject): void {
  const endpoints = records(slice['endpoints']);
  if (endpoints.length > MAX_ENDPOINTS) {
    out.push(tooMany('endpoints', endpoints.length, MAX_ENDPOINTS));
    return;
  }
  endpoints.forEach((endpoint, i) => {
    const path = `endpoints[${i}]`;
    const addresses = texts(endpoint['addresses']);
    if (addresses.length === 0) out.push(required(`${path}.addresses`, 'must contain at least 1 address'));
    else if (addresses.length > MAX_ADDRESSES) out.push(tooMany(`${path}.addresses`, addresses.length, MAX_ADDRESSES));
    addresses.forEach((address, j) => checkAddress(out, `${path}.addresses`, j, address, text(slice['addressType'])));
    if (endpoint['nodeName'] !== undefined) checkSubdomain(out, `${path}.nodeName`, text(endpoint['nodeName']));
    if (endpoint['hostname'] !== undefined) checkLabel(out, `${path}.hostname`, text(endpoint['hostname']));
    checkHints(out, `${path}.hints`, fields(endpoint['hints']));
  });
}

function checkPorts(out: Errors, ports: readonly JsonObject[]): void {
  if (ports.length > MAX_PORTS) {
    out.push(tooMany('ports', ports.length, MAX_PORTS));
    return;
  }
  const names = new Set<string>();
  ports.forEach((port, i) => {
    const name = text(port['name']);
    if (name !== '') checkLabel(out, `ports[${i}].name`, name);
    if (names.has(name)) out.push(duplicate(`ports[${i}].name`, name));
    names.add(name);
    checkEnum(out, `ports[${i}].protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']);
    if (port['appProtocol'] !== undefined)
      checkQualifiedName(out, `ports[${i}].appProtocol`, text(port['appProtocol']));
  });
}

function validate(slice: KubeObject, old?: KubeObject): FieldError[] {
  const out: Errors = [];
  const type = text(slice['addressType']);
  if (type === '') out.push(required('addressType'));
  else checkEnum(out, 'addressType', type, ['FQDN', 'IPv4', 'IPv6']);
  checkPorts(out, records(slice['ports']));
  if (!old || !equalJson(old['endpoints'], slice['endpoints'])) checkEndpoints(out, slice);
  return out;
}

const CONTENT = ['addressType', 'endpoints', 'ports'];

/** Strategy of endpoint slices. */
export const endpointSliceStrategy: ResourceStrategy = {
  ...BASE,
  hasGeneration: true,
  applyDefaults: (slice) => {
    for (const port of records(slice['ports'])) {
      defaultTo(port, 'name', '');
      defaultTo(port, 'protocol', 'TCP');
    }
  },
  prepareForCreate: (slice) => {
    slice.metadata.generation = 1;
  },
  validate: (slice) => validate(slice),
  prepareForUpdate: (slice, old) => {
    const labelled = !equalJson(slice.metadata.labels ?? {}, old.metadata.labels ?? {});
    setGeneration(slice, old, labelled || CONTENT.some((key) => !equalJson(slice[key], old[key])));
  },
  validateUpdate: (slice, old) => {
    const out = validate(slice, old);
    checkImmutableEnum(out, 'addressType', slice['addressType'], old['addressType']);
    return out;
  },
};
