/** Names and amounts of resources. */
import { forbidden, getOwn, invalid, notFound, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { atKey, checkLabel, checkText } from '../shared/checks.js';
import { fields, records, text } from '../shared/json.js';
import { qualifiedNameErrors } from '../shared/names.js';
import { compareQuantities, isNegative, isWhole, nanosOf } from '../shared/quantity.js';

const CONTAINER = new Set(['cpu', 'memory', 'ephemeral-storage']);
const COUNTS = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const INTEGER = new Set(COUNTS);
const QUOTA = new Set([
  ...CONTAINER,
  ...[...CONTAINER].map((name) => `requests.${name}`),
  ...[...CONTAINER].map((name) => `limits.${name}`),
  'requests.storage',
  ...COUNTS,
]);

/** `hugepages-2Mi`. */
function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith('requests.hugepages-');
}

/** Known to Kubernetes itself: unprefixed, or under kubernetes.io. */
function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return qualifiedNameErrors(`requests.${name}`).length === 0;
}

/** Whether requests may be below limits. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** A resource that a quota can count. */
export function isQuotaResource(name: string): boolean {
  return QUOTA.has(name) || isQuotaHugePages(name);
}

/** Any resource name; answers whether it was fine. */
export function checkResourceName(out: Errors, field: string, name: string): boolean {
  const complaints = qualifiedNameErrors(name);
  checkText(out, field, name, complaints);
  if (complaints.length > 0) return false;
  if (name.includes('/') || QUOTA.has(name) || name === 'storage' || isQuotaHugePages(name)) return true;
  out.push(invalid(field, name, 'must be a standard resource type or fully qualified'));
  return false;
}

/** A resource that a container can have. */
export function checkContainerResourceName(out: Errors, field: string, name: string): void {
  if (CONTAINER.has(name)) return;
  checkResourceName(out, field, name);
  if (!name.includes('/')) {
    if (!isHugePages(name)) out.push(invalid(field, name, 'must be a standard resource for containers'));
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    out.push(invalid(field, name, "doesn't follow extended resource name standard"));
  }
}

/** A resource that a quota can limit. */
export function checkQuotaResourceName(out: Errors, field: string, name: string): void {
  checkResourceName(out, field, name);
  if (!name.includes('/') && !isQuotaResource(name))
    out.push(invalid(field, name, 'must be a standard resource for quota'));
}

function checkPodResourceName(out: Errors, field: string, name: string): void {
  if (!checkResourceName(out, field, name)) return;
  if (name !== 'cpu' && name !== 'memory' && !isHugePages(name))
    out.push(notSupported(field, name, ['cpu', 'hugepages-', 'memory']));
}

/** A non-negative amount, whole where the resource is counted. */
export function checkAmount(out: Errors, field: string, name: string, quantity: unknown): void {
  if (isNegative(quantity)) out.push(invalid(field, quantity, 'must be greater than or equal to 0'));
  if ((INTEGER.has(name) || isExtendedResource(name)) && !isWhole(quantity))
    out.push(invalid(field, quantity, 'must be an integer'));
}

function checkHugePages(out: Errors, field: string, name: string, quantity: unknown): void {
  const size = nanosOf(name.slice('hugepages-'.length));
  const amount = nanosOf(quantity);
  if (size <= 0n || amount % size !== 0n)
    out.push(invalid(field, quantity, `${text(quantity)} is not positive integer multiple of ${name}`));
}

type NameCheck = (out: Errors, field: string, name: string) => void;

function checkRequest(out: Errors, path: string, name: string, quantity: unknown, limits: Readonly<JsonObject>): void {
  const limit = getOwn(limits, name);
  if (limit === undefined) {
    if (!isOvercommitAllowed(name))
      out.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
    return;
  }
  const order = compareQuantities(quantity, limit);
  const requests = `${path}.requests`;
  if (order !== 0 && !isOvercommitAllowed(name))
    out.push(invalid(requests, quantity, `must be equal to ${name} limit of ${text(limit)}`));
  else if (order > 0)
    out.push(invalid(requests, quantity, `must be less than or equal to ${name} limit of ${text(limit)}`));
}

function checkRequirements(out: Errors, path: string, requirements: Readonly<JsonObject>, checkName: NameCheck): void {
  const limits = fields(requirements['limits']);
  const requests = fields(requirements['requests']);
  let compute = false;
  let huge = false;
  for (const [list, where] of [
    [limits, 'limits'],
    [requests, 'requests'],
  ] as const) {
    for (const name of Object.keys(list)) {
      const field = atKey(`${path}.${where}`, name);
      const quantity = list[name];
      checkName(out, field, name);
      checkAmount(out, field, name, quantity);
      if (where === 'requests') checkRequest(out, path, name, quantity, limits);
      if (isHugePages(name)) {
        huge = true;
        checkHugePages(out, field, name, quantity);
      }
      if (name === 'cpu' || name === 'memory') compute = true;
    }
  }
  if (huge && !compute) out.push(forbidden(path, 'HugePages require cpu or memory'));
}

function checkClaims(out: Errors, path: string, claims: unknown, podClaims: ReadonlySet<string>): void {
  const seen = new Set<string>();
  records(claims).forEach((claim, i) => {
    const field = `${path}[${i}]`;
    const name = text(claim['name']);
    if (name === '') {
      out.push(required(field));
      return;
    }
    const request = text(claim['request']);
    if (request !== '') checkLabel(out, `${field}.request`, request);
    const key = request === '' ? name : `${name}/${request}`;
    const shadows = request === '' && [...seen].some((other) => other.startsWith(`${name}/`));
    if (seen.has(name) || seen.has(key) || shadows)
      out.push({ type: 'Duplicate', field, badValue: seen.has(name) ? name : key, detail: '' });
    seen.add(key);
    if (!podClaims.has(name)) out.push(missingClaim(field, name, podClaims));
  });
}

function missingClaim(field: string, name: string, podClaims: ReadonlySet<string>): FieldError {
  const known = podClaims.size === 0 ? ' which is empty' : `: ${[...podClaims].sort().join(', ')}`;
  return { ...notFound(field, name), detail: `must be one of the names in pod.spec.resourceClaims${known}` };
}

const NO_CLAIMS: ReadonlySet<string> = new Set();

/** Requests and limits of a container. */
export function checkContainerResources(
  out: Errors,
  path: string,
  requirements: unknown,
  podClaims: ReadonlySet<string> = NO_CLAIMS,
): void {
  if (requirements === undefined || requirements === null) return;
  const resources = requirements as JsonObject;
  checkRequirements(out, path, resources, checkContainerResourceName);
  checkClaims(out, `${path}.claims`, resources['claims'], podClaims);
}

/** Requests and limits of a pod as a whole. */
export function checkPodResources(out: Errors, path: string, requirements: Readonly<JsonObject>): void {
  if (records(requirements['claims']).length > 0)
    out.push(forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level'));
  checkRequirements(out, path, requirements, checkPodResourceName);
}
