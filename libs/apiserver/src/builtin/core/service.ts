/** Services: defaults, and what is dropped when their type changes. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { BASE, keepField, statusUpdate } from '../base.js';
import {
  assign,
  cloneJson,
  defaultText,
  defaultTo,
  ensure,
  equalJson,
  fields,
  integer,
  record,
  records,
  text,
  textMap,
  texts,
} from '../shared/json.js';
import type { ResourceStrategy } from '../strategy.js';
import { allocateOnCreate, allocateOnUpdate, takeAllocationErrors } from './service-allocation.js';
import { isExternallyAccessible, validateService } from './service-validation.js';
import { validateServiceStatus, validateServiceUpdate } from './service-update.js';

const THREE_HOURS = 10800;

function defaults(service: KubeObject): void {
  const spec = ensure(service, 'spec');
  defaultText(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  else if (spec['sessionAffinity'] === 'ClientIP') {
    const timeout = fields(fields(spec['sessionAffinityConfig'])['clientIP'])['timeoutSeconds'];
    if (timeout === undefined) spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: THREE_HOURS } };
  }
  defaultText(spec, 'type', 'ClusterIP');
  const type = text(spec['type']);
  for (const port of records(spec['ports'])) {
    defaultText(port, 'protocol', 'TCP');
    const target = port['targetPort'];
    if (target === undefined || target === null || target === 0 || target === '')
      port['targetPort'] = port['port'] ?? 0;
  }
  if (isExternallyAccessible(spec)) defaultText(spec, 'externalTrafficPolicy', 'Cluster');
  if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP')
    defaultTo(spec, 'internalTrafficPolicy', 'Cluster');
  if (type !== 'LoadBalancer') return;
  defaultTo(spec, 'allocateLoadBalancerNodePorts', true);
  for (const ingress of records(fields(fields(service['status'])['loadBalancer'])['ingress'])) {
    if (text(ingress['ip']) !== '') defaultTo(ingress, 'ipMode', 'VIP');
  }
}

function nodePortsOf(spec: Readonly<JsonObject>): Set<number> {
  return new Set(
    records(spec['ports'])
      .map((port) => integer(port['nodePort']) ?? 0)
      .filter((port) => port !== 0),
  );
}

const hasType = (spec: Readonly<JsonObject>, ...types: readonly string[]): boolean =>
  types.includes(text(spec['type']));
const needsHealthPort = (spec: Readonly<JsonObject>): boolean =>
  hasType(spec, 'LoadBalancer') && spec['externalTrafficPolicy'] === 'Local';

function dropIf(spec: JsonObject, old: Readonly<JsonObject>, gone: boolean, ...keys: readonly string[]): void {
  if (!gone) return;
  for (const key of keys) if (equalJson(spec[key], old[key])) delete spec[key];
}

// Fields that only make sense for the former type go, unless the caller touched them (then validation complains).
function dropForType(service: KubeObject, old: KubeObject): void {
  const spec = ensure(service, 'spec');
  const before = fields(old['spec']);
  const toExternalName = !hasType(before, 'ExternalName') && hasType(spec, 'ExternalName');
  if (
    toExternalName &&
    equalJson(spec['clusterIP'], before['clusterIP']) &&
    equalJson(spec['clusterIPs'], before['clusterIPs'])
  ) {
    delete spec['clusterIP'];
    delete spec['clusterIPs'];
  }
  dropIf(spec, before, toExternalName, 'ipFamilies', 'ipFamilyPolicy');
  if (hasType(before, 'NodePort', 'LoadBalancer') && !hasType(spec, 'NodePort', 'LoadBalancer')) {
    const known = nodePortsOf(before);
    if ([...nodePortsOf(spec)].every((port) => known.has(port))) {
      const ports = records(spec['ports']);
      if (ports.length > 0) {
        spec['ports'] = ports.map((port) => {
          const copy = { ...port };
          delete copy['nodePort'];
          return copy;
        });
      }
    }
  }
  dropIf(spec, before, needsHealthPort(before) && !needsHealthPort(spec), 'healthCheckNodePort');
  const leavesBalancer = hasType(before, 'LoadBalancer') && !hasType(spec, 'LoadBalancer');
  dropIf(spec, before, leavesBalancer, 'allocateLoadBalancerNodePorts', 'loadBalancerClass');
  dropIf(spec, before, isExternallyAccessible(before) && !isExternallyAccessible(spec), 'externalTrafficPolicy');
  if (!hasType(spec, 'LoadBalancer')) service['status'] = { ...fields(service['status']), loadBalancer: {} };
}

// A name elsewhere in DNS has no traffic of its own.
function dropInternalPolicy(service: KubeObject): void {
  const spec = ensure(service, 'spec');
  if (hasType(spec, 'ExternalName')) delete spec['internalTrafficPolicy'];
}

const HINTS = 'service.kubernetes.io/topology-aware-hints';

function warnings(service: KubeObject): string[] {
  const out: string[] = [];
  const spec = fields(service['spec']);
  if (textMap(service.metadata.annotations)[HINTS] !== undefined) {
    out.push(`annotation ${HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`);
  }
  const externalIPs = texts(spec['externalIPs']).length > 0;
  const headless = hasType(spec, 'ClusterIP') && spec['clusterIP'] === 'None';
  if (headless) {
    if (text(spec['loadBalancerIP']) !== '') out.push('spec.loadBalancerIP is ignored for headless services');
    if (externalIPs) out.push('spec.externalIPs is ignored for headless services');
    if (spec['sessionAffinity'] !== 'None') out.push('spec.SessionAffinity is ignored for headless services');
  }
  const externalName = hasType(spec, 'ExternalName');
  if (externalIPs && !headless && !externalName)
    out.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  if (externalName && externalIPs) out.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!externalName && text(spec['externalName']) !== '')
    out.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (spec['trafficDistribution'] === 'PreferClose')
    out.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return out;
}

/** Strategy of services. */
export const serviceStrategy: ResourceStrategy = {
  ...BASE,
  nameValidator: 'dns1123-label',
  allowCreateOnUpdate: true,
  returnsDeletedObject: true,
  applyDefaults: defaults,
  prepareForCreate: (service, ctx) => {
    service['status'] = { loadBalancer: {} };
    allocateOnCreate(service, ctx);
    dropInternalPolicy(service);
  },
  validate: (service) => takeAllocationErrors(service) ?? validateService(service, undefined),
  warningsOnCreate: warnings,
  prepareForUpdate: (service, old, ctx) => {
    allocateOnUpdate(service, old, ctx);
    keepField(service, old, 'status');
    dropForType(service, old);
    dropInternalPolicy(service);
  },
  validateUpdate: (service, old) => takeAllocationErrors(service) ?? validateServiceUpdate(service, old),
  warningsOnUpdate: warnings,
  subresources: {
    status: statusUpdate(validateServiceStatus, (service) => {
      const status = ensure(service, 'status');
      if (!record(status['loadBalancer'])) assign(status, 'loadBalancer', cloneJson({}));
    }),
  },
  fieldLabels: {
    'spec.clusterIP': (service) => text(fields(service['spec'])['clusterIP']),
    'spec.type': (service) => text(fields(service['spec'])['type']),
  },
};
