/** Cluster IPs and node ports of services: which are needed, kept, or asked of the allocator. */
import { apiErrors, invalid } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import type { ServiceAllocator, StrategyContext } from '../strategy.js';
import { familyOf } from '../shared/ip.js';
import { checkClusterIPs } from './service-validation.js';
import { assign, ensure, equalJson, fields, integer, records, text, textMap, texts } from '../shared/json.js';

// Allocation happens while preparing, its failure is reported by validation: this carries the one to the other.
const failures = new WeakMap<KubeObject, FieldError[]>();

/** Errors of the allocation that went before, alone as the server reports them; undefined when all went well. */
export function takeAllocationErrors(service: KubeObject): FieldError[] | undefined {
  const errors = failures.get(service);
  failures.delete(service);
  return errors;
}

const needsIP = (spec: Readonly<JsonObject>): boolean => text(spec['type']) !== 'ExternalName';
const needsNodePort = (spec: Readonly<JsonObject>): boolean =>
  ['NodePort', 'LoadBalancer'].includes(text(spec['type']));
const needsHealthPort = (spec: Readonly<JsonObject>): boolean =>
  text(spec['type']) === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';

/** `clusterIP` is the first of `clusterIPs`; who writes only one of them means both. */
function normalizeClusterIPs(spec: JsonObject, old: Readonly<JsonObject> | undefined): void {
  const single = text(spec['clusterIP']);
  const list = texts(spec['clusterIPs']);
  if (!old) {
    if (single !== '' && list.length === 0) spec['clusterIPs'] = [single];
    return;
  }
  const sameSingle = single === text(old['clusterIP']);
  const sameList = equalJson(list, texts(old['clusterIPs']));
  if (single === '' && !sameSingle && sameList) delete spec['clusterIPs'];
  else if (single !== '' && !sameSingle && sameList) spec['clusterIPs'] = [single];
}

function keepAllocated(spec: JsonObject, old: Readonly<JsonObject>): void {
  if (needsIP(old) && needsIP(spec)) {
    if (text(spec['clusterIP']) === '') assign(spec, 'clusterIP', old['clusterIP']);
    if (texts(spec['clusterIPs']).length === 0) assign(spec, 'clusterIPs', old['clusterIPs']);
  }
  if (needsNodePort(old) && needsNodePort(spec)) keepNodePorts(records(spec['ports']), records(old['ports']));
  if (needsHealthPort(old) && needsHealthPort(spec) && !spec['healthCheckNodePort'])
    assign(spec, 'healthCheckNodePort', old['healthCheckNodePort']);
}

/** A port keeps the number it had, unless another one now has it. */
function keepNodePorts(ports: readonly JsonObject[], old: readonly JsonObject[]): void {
  const used = new Set(ports.map((port) => integer(port['nodePort']) ?? 0));
  const known = new Map(old.map((port) => [text(port['name']), integer(port['nodePort']) ?? 0]));
  for (const port of ports) {
    const before = known.get(text(port['name'])) ?? 0;
    if (!port['nodePort'] && before !== 0 && !used.has(before)) port['nodePort'] = before;
  }
}

const isNone = (spec: Readonly<JsonObject>): boolean => text(spec['clusterIP']) === 'None';

// This cluster has one address family, IPv4; only headless services without selector may speak of the other.
function fillFamilies(spec: JsonObject, old: Readonly<JsonObject> | undefined, errors: FieldError[]): void {
  const selectorless = isNone(spec) && Object.keys(textMap(spec['selector'])).length === 0;
  if (spec['ipFamilyPolicy'] === undefined) {
    spec['ipFamilyPolicy'] = old?.['ipFamilyPolicy'] ?? (selectorless ? 'RequireDualStack' : 'SingleStack');
  }
  const families = [...texts(spec['ipFamilies'])];
  texts(spec['clusterIPs']).forEach((ip, i) => {
    if (ip === 'None' || i < families.length) return;
    const family = familyOf(ip);
    if (family === 'IPv4') families.push(family);
    else
      errors.push(invalid(`spec.clusterIPs[${i}]`, spec['clusterIPs'], `${family} is not configured on this cluster`));
  });
  if (errors.length > 0) return;
  if (families.length === 0) families.push('IPv4');
  if (selectorless) {
    if (families.length < 2 && spec['ipFamilyPolicy'] !== 'SingleStack')
      families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  } else {
    if (spec['ipFamilyPolicy'] === 'RequireDualStack') {
      errors.push(
        invalid('spec.ipFamilyPolicy', 'RequireDualStack', 'this cluster is not configured for dual-stack services'),
      );
    }
    families.forEach((family, i) => {
      if (family === 'IPv6') errors.push(invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster'));
    });
  }
  spec['ipFamilies'] = families;
}

function allocateIPs(
  spec: JsonObject,
  old: Readonly<JsonObject> | undefined,
  allocator: ServiceAllocator,
  errors: FieldError[],
): void {
  if (isNone(spec)) return;
  const held = old ? texts(old['clusterIPs']) : [];
  const wanted = text(spec['clusterIP']);
  if (wanted !== '' && held.includes(wanted)) return;
  const ip = allocator.clusterIP('IPv4', wanted === '' ? undefined : wanted);
  if (ip !== undefined) {
    spec['clusterIP'] = ip;
    spec['clusterIPs'] = [ip];
    return;
  }
  if (wanted === '') errors.push(invalid('spec.clusterIPs', null, 'failed to allocate IP: range is full'));
  else
    errors.push(
      invalid(
        'spec.clusterIPs',
        spec['clusterIPs'] ?? [wanted],
        `failed to allocate IP ${wanted}: ${allocator.outside?.(wanted) ?? 'provided IP is already allocated'}`,
      ),
    );
}

/** The same port over two protocols shares one node port, as the first of them got it; others have their own. */
function nodePortFor(
  { wanted, shared }: { readonly wanted: number; readonly shared: number | undefined },
  busy: ReadonlySet<number>,
  allocator: ServiceAllocator,
): number | undefined {
  const isShared = shared !== undefined && (wanted === 0 || wanted === shared);
  return isShared ? shared : allocator.nodePort(wanted, busy);
}

/** A service that has node ports already is refused two alike before anything else is looked at. */
function refuseDuplicateNodePorts(spec: Readonly<JsonObject>): void {
  const seen = new Set<string>();
  for (const port of records(spec['ports'])) {
    const number = integer(port['nodePort']) ?? 0;
    const shown = `{${text(port['protocol'])} ${number}}`;
    if (number !== 0 && seen.has(shown)) throw apiErrors.unclassified(`duplicate nodePort: ${shown}`);
    seen.add(shown);
  }
}

function allocatePorts(
  spec: JsonObject,
  old: Readonly<JsonObject> | undefined,
  allocator: ServiceAllocator,
  errors: FieldError[],
): void {
  const held = new Set(records(old?.['ports']).map((port) => integer(port['nodePort']) ?? 0));
  const wantsAll = text(spec['type']) === 'NodePort' || spec['allocateLoadBalancerNodePorts'] !== false;
  if (needsNodePort(spec)) {
    const isFirst = old === undefined || !needsNodePort(old);
    if (!isFirst) refuseDuplicateNodePorts(spec);
    const given = new Map<number, number>();
    const busy = new Set<number>();
    records(spec['ports']).forEach((port, i) => {
      const wanted = integer(port['nodePort']) ?? 0;
      if (wanted !== 0 ? held.has(wanted) : !wantsAll) return;
      const number = integer(port['port']) ?? 0;
      const got = isFirst
        ? nodePortFor({ wanted, shared: given.get(number) }, busy, allocator)
        : busy.has(wanted)
          ? wanted
          : allocator.nodePort(wanted, busy);
      if (got === undefined)
        errors.push(
          invalid(
            `spec.ports[${i}].nodePort`,
            wanted,
            allocator.outside?.(wanted) ?? 'provided port is already allocated',
          ),
        );
      else {
        port['nodePort'] = got;
        given.set(number, got);
        busy.add(got);
      }
    });
  }
  if (
    !needsHealthPort(spec) ||
    (old && integer(old['healthCheckNodePort']) === integer(spec['healthCheckNodePort']) && spec['healthCheckNodePort'])
  )
    return;
  const wanted = integer(spec['healthCheckNodePort']);
  const got = allocator.nodePort(wanted);
  if (got === undefined)
    errors.push(invalid('spec.healthCheckNodePort', wanted ?? 0, 'provided port is already allocated'));
  else spec['healthCheckNodePort'] = got;
}

function allocate(service: KubeObject, old: Readonly<JsonObject> | undefined, ctx: StrategyContext): void {
  const spec = ensure(service, 'spec');
  const errors: FieldError[] = [];
  if (needsIP(spec)) {
    // Nothing is allocated for fields that contradict each other.
    checkClusterIPs(errors, spec, old);
    if (errors.length === 0) fillFamilies(spec, old, errors);
    if (errors.length === 0 && ctx.allocate) allocateIPs(spec, old, ctx.allocate, errors);
  }
  if (errors.length === 0 && ctx.allocate) allocatePorts(spec, old, ctx.allocate, errors);
  if (errors.length > 0) failures.set(service, errors);
}

/** Gives a new service its addresses and ports. */
export function allocateOnCreate(service: KubeObject, ctx: StrategyContext): void {
  normalizeClusterIPs(ensure(service, 'spec'), undefined);
  allocate(service, undefined, ctx);
}

/** Keeps what an updated service has and adds what it newly needs. */
export function allocateOnUpdate(service: KubeObject, old: KubeObject, ctx: StrategyContext): void {
  const spec = ensure(service, 'spec');
  const before = fields(old['spec']);
  keepAllocated(spec, before);
  normalizeClusterIPs(spec, before);
  const changedIP =
    text(spec['clusterIP']) !== text(before['clusterIP']) && needsIP(before) && text(before['clusterIP']) !== '';
  const known = needsIP(before) ? before : { ports: before['ports'] };
  if (!changedIP) allocate(service, known, ctx);
  // An address cannot be exchanged: validation refuses it, nothing is allocated. An invalid address is reported first.
  else refuseContradictions(service, spec, known);
}

function refuseContradictions(service: KubeObject, spec: Readonly<JsonObject>, old: Readonly<JsonObject>): void {
  const errors: FieldError[] = [];
  checkClusterIPs(errors, spec, old);
  if (errors.length > 0) failures.set(service, errors);
}
