/** LimitRanger: pods get the resources they do not name, and pods and claims keep within what their namespace allows. */
import { formatQuantity, scaledQuantity, type JsonObject, type KubeObject, type Quantity } from '@capstan/meta';
import { ensure, fields, records, text } from '../../builtin/shared/json.js';
import { containerResources, podResources, resourceList, type ResourceList } from './resource-lists.js';

const ANNOTATION = 'kubernetes.io/limit-ranger';

/** Sets what the containers of a pod leave open, from each limit range in turn. */
export function defaultPodResources(limitRanges: readonly KubeObject[], pod: KubeObject): void {
  for (const limitRange of limitRanges) {
    const defaults = defaultsOf(limitRange);
    const spec = ensure(pod, 'spec');
    const set = [
      ...records(spec['containers']).flatMap((each) => defaultContainer(each, defaults, 'container')),
      ...records(spec['initContainers']).flatMap((each) => defaultContainer(each, defaults, 'init container')),
    ];
    if (set.length === 0) continue;
    const { metadata } = pod;
    metadata.annotations = { ...metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${set.join('; ')}` };
  }
}

interface Defaults {
  readonly requests: JsonObject;
  readonly limits: JsonObject;
}

function itemsOf(limitRange: KubeObject, type: string): JsonObject[] {
  return records(fields(limitRange['spec'])['limits']).filter((item) => item['type'] === type);
}

/** Of several items the last one that names a resource wins. */
function defaultsOf(limitRange: KubeObject): Defaults {
  const items = itemsOf(limitRange, 'Container');
  return {
    requests: joined(items.map((item) => item['defaultRequest'])),
    limits: joined(items.map((item) => item['default'])),
  };
}

function joined(objects: readonly unknown[]): JsonObject {
  const all: JsonObject = {};
  for (const each of objects) Object.assign(all, each);
  return all;
}

/** Returns what was set, in the words of the annotation. */
function defaultContainer(container: JsonObject, defaults: Defaults, kind: string): string[] {
  const rule: string[] = [];
  for (const [which, word] of [
    ['requests', 'request'],
    ['limits', 'limit'],
  ] as const) {
    const given = fields(fields(container['resources'])[which]);
    const missing = Object.keys(defaults[which])
      .filter((name) => !Object.hasOwn(given, name))
      .toSorted();
    if (missing.length === 0) continue;
    const list: JsonObject = { ...given };
    for (const name of missing) list[name] = defaults[which][name];
    ensure(container, 'resources')[which] = list;
    rule.push(`${missing.join(', ')} ${word} for ${kind} ${text(container['name'])}`);
  }
  return rule;
}

/** What a pod asks for that one limit range does not allow. */
export function podLimitFaults(limitRange: KubeObject, pod: KubeObject): string[] {
  const spec = fields(pod['spec']);
  const containers = [...records(spec['containers']), ...records(spec['initContainers'])];
  return records(fields(limitRange['spec'])['limits']).flatMap((item) => {
    if (item['type'] === 'Container') {
      return containers.flatMap((container) => {
        const asked = (which: 'requests' | 'limits'): ResourceList => containerResources(container, which);
        return faultsOf(item, { requests: asked('requests'), limits: asked('limits') });
      });
    }
    if (item['type'] !== 'Pod') return [];
    return faultsOf(item, { requests: podResources(spec, 'requests'), limits: podResources(spec, 'limits') });
  });
}

/** What a claim asks for that one limit range does not allow. */
export function claimLimitFaults(limitRange: KubeObject, claim: KubeObject): string[] {
  const requests = resourceList(fields(fields(claim['spec'])['resources'])['requests']);
  return itemsOf(limitRange, 'PersistentVolumeClaim').flatMap((item) => {
    const asked = { requests, limits: NOTHING };
    const checks: [unknown, Check][] = [
      [item['min'], belowMin],
      [item['max'], aboveMaxRequest],
    ];
    return checks.flatMap(([list, check]) => faultsIn(item, list, asked, check));
  });
}

const NOTHING: ResourceList = new Map();

interface Asked {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** One amount that is enforced, and what is asked of the same resource. */
interface Comparison {
  readonly name: string;
  readonly type: string;
  readonly enforced: Quantity;
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
  /** The three at a common precision. */
  readonly values: { readonly request: bigint; readonly limit: bigint; readonly enforced: bigint };
}

type Check = (comparison: Comparison) => string | undefined;

function faultsOf(item: JsonObject, asked: Asked): string[] {
  return [
    ...faultsIn(item, item['min'], asked, belowMin),
    ...faultsIn(item, item['max'], asked, aboveMax),
    ...faultsIn(item, item['maxLimitRequestRatio'], asked, aboveRatio),
  ];
}

function faultsIn(item: JsonObject, list: unknown, asked: Asked, check: Check): string[] {
  const faults: string[] = [];
  for (const [name, enforced] of resourceList(list)) {
    const [request, limit] = [asked.requests.get(name), asked.limits.get(name)];
    const values = commonValues(request, limit, enforced);
    const fault = check({ name, type: text(item['type']), enforced, request, limit, values });
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

const ZERO: Quantity = { mantissa: 0n, exponent: 0, format: 'DecimalSI' };
/** Beyond this, thousandths do not fit into 64 bits. */
const MAX_MILLI_VALUE = (2n ** 63n - 1n) / 1000n;

/** In thousandths where all of them fit, else in units. */
function commonValues(request = ZERO, limit = ZERO, enforced = ZERO): Comparison['values'] {
  const isFine = [request, limit, enforced].every((amount) => scaledQuantity(amount, 0) <= MAX_MILLI_VALUE);
  const value = (amount: Quantity): bigint => scaledQuantity(amount, isFine ? -3 : 0);
  return { request: value(request), limit: value(limit), enforced: value(enforced) };
}

const belowMin: Check = ({ name, type, enforced, request, limit, values }) => {
  const rule = `minimum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (values.request < values.enforced) return `${rule}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && values.limit < values.enforced) return `${rule}, but limit is ${formatQuantity(limit)}`;
  return undefined;
};

const aboveMax: Check = ({ name, type, enforced, request, limit, values }) => {
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (values.limit > values.enforced) return `${rule}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && values.request > values.enforced)
    return `${rule}, but request is ${formatQuantity(request)}`;
  return undefined;
};

const aboveMaxRequest: Check = ({ name, type, enforced, request, values }) => {
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  return values.request > values.enforced ? `${rule}, but request is ${formatQuantity(request)}` : undefined;
};

const aboveRatio: Check = ({ name, type, enforced, request, limit, values }) => {
  const rule = `${name} max limit to request ratio per ${type} is ${formatQuantity(enforced)}`;
  if (request === undefined || values.request === 0n) return `${rule}, but no request is specified or request is 0`;
  if (limit === undefined || values.limit === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = Number(values.limit) / Number(values.request);
  const isFine = scaledQuantity(enforced, 0) <= MAX_MILLI_VALUE;
  const most = Number(scaledQuantity(enforced, isFine ? -3 : 0));
  if ((isFine ? ratio * 1000 : ratio) <= most) return undefined;
  return `${rule}, but provided ratio is ${sixDecimals(ratio)}`;
};

/** Fractions of doubles from 1 on end within so many decimals. */
const EXACT_DECIMALS = 52;

/** As Go's `%f`: to six decimals, and to the even one where two are equally near. */
export function sixDecimals(value: number): string {
  const [whole = '0', fraction = ''] = value.toFixed(EXACT_DECIMALS).split('.');
  const kept = BigInt(`${whole}${fraction.slice(0, 6)}`);
  const rest = fraction.slice(6);
  const half = `5${'0'.repeat(rest.length - 1)}`;
  const isUp = rest > half || (rest === half && kept % 2n === 1n);
  const digits = String(isUp ? kept + 1n : kept).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
