/** IPAddresses and ServiceCIDRs: which addresses services may have, and which are taken. */
import { invalid, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject, RawValue } from '@capstan/meta';
import { plain, keepField, statusUpdate } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkSubdomain, checkText } from '../shared/checks.js';
import { structText } from '../shared/internal.js';
import { checkCidr, checkIP, familyOf, parseCidr } from '../shared/ip.js';
import { equalJson, fields, record, text, texts } from '../shared/json.js';
import { pathSegmentErrors } from '../shared/names.js';
import { metadataAgain, type ResourceStrategy } from '../strategy.js';

const IMMUTABLE = 'field is immutable';
const PARENT = 'spec.parentRef';

function ipNameErrors(name: string): readonly string[] {
  const out: Errors = [];
  checkIP(out, 'metadata.name', name);
  return out.map(({ detail }) => detail);
}

function validateAddress(address: KubeObject): FieldError[] {
  const parent = record(fields(address['spec'])['parentRef']);
  if (parent === undefined) return [required(PARENT)];
  const out: Errors = [];
  const [group, namespace] = [text(parent['group']), text(parent['namespace'])];
  if (group !== '') checkSubdomain(out, `${PARENT}.group`, group);
  for (const key of ['resource', 'name']) {
    const value = text(parent[key]);
    if (value === '') out.push(required(`${PARENT}.${key}`));
    else checkText(out, `${PARENT}.${key}`, value, pathSegmentErrors(value));
  }
  if (namespace !== '') checkText(out, `${PARENT}.namespace`, namespace, pathSegmentErrors(namespace));
  return out;
}

/** Printed under the server's internal names. */
function parentText(parent: JsonObject | undefined): RawValue | null {
  if (parent === undefined) return null;
  const [group, resource, namespace, name] = ['group', 'resource', 'namespace', 'name'].map((key) => text(parent[key]));
  return structText({ Group: group, Resource: resource, Namespace: namespace, Name: name });
}

/** Strategy of IP addresses. */
export const ipAddressStrategy: ResourceStrategy = plain({
  nameValidator: 'any',
  validateName: () => ipNameErrors,
  validate: validateAddress,
  validateUpdate: (address, old, context) => {
    const { asNew, asChange } = metadataAgain(context);
    const out: Errors = [...asNew, ...validateAddress(address), ...asChange];
    const [now, before] = [address, old].map((each) => fields(each['spec'])['parentRef']);
    if (!equalJson(now, before)) out.push(invalid(PARENT, parentText(record(now)), IMMUTABLE));
    return out;
  },
});

const CIDRS = 'spec.cidrs';

function cidrsOf(range: KubeObject): readonly string[] {
  return texts(fields(range['spec'])['cidrs']);
}

function validateRange(range: KubeObject): FieldError[] {
  const cidrs = cidrsOf(range);
  if (cidrs.length === 0) return [required(CIDRS, 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalid(CIDRS, structText({ CIDRs: cidrs }), 'may only hold up to 2 values')];
  const out: Errors = [];
  cidrs.forEach((cidr, i) => checkCidr(out, `${CIDRS}[${i}]`, cidr));
  const families = cidrs.map((cidr) =>
    parseCidr(cidr) === undefined ? undefined : familyOf(cidr.split('/')[0] ?? ''),
  );
  if (families.length === 2 && families[0] !== undefined && families[0] === families[1]) {
    const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    out.push(invalid(CIDRS, cidrs, detail));
  }
  return out;
}

/** Nothing changes but that a second family may be added. */
function validateRangeUpdate(range: KubeObject, old: KubeObject): FieldError[] {
  const [cidrs, before] = [cidrsOf(range), cidrsOf(old)];
  const isAdded = before.length === 1 && cidrs.length === 2;
  if (cidrs.length !== before.length && !isAdded) return [invalid(CIDRS, cidrs, IMMUTABLE)];
  const changed = before.flatMap((cidr, i) =>
    cidr === cidrs[i] ? [] : [invalid(`${CIDRS}[${i}]`, cidrs[i], IMMUTABLE)],
  );
  return isAdded ? [...changed, ...validateRange(range)] : changed;
}

/** Strategy of the ranges that services get addresses from. */
export const serviceCidrStrategy: ResourceStrategy = plain({
  prepareForCreate: (range) => {
    range['status'] = {};
  },
  prepareForUpdate: (range, old) => keepField(range, old, 'status'),
  validate: validateRange,
  validateUpdate: validateRangeUpdate,
  subresources: { status: statusUpdate() },
});
