/** Validation of services. */
import { duplicate, forbidden, invalid, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import {
  atKey,
  checkEnum,
  checkLabel,
  checkLabels,
  checkOptionalEnum,
  checkPortOrName,
  checkQualifiedName,
  checkRequiredEnum,
  checkSubdomain,
  checkText,
} from '../shared/checks.js';
import { checkCidr, checkEndpointIP, checkIP, familyOf, isIPv6 } from '../shared/ip.js';
import { structText } from '../shared/internal.js';
import { fields, integer, record, records, text, textMap, texts } from '../shared/json.js';
import { portNumberErrors } from '../shared/texts.js';

export type Spec = Readonly<JsonObject>;
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Whether traffic from outside the cluster can reach it. */
export function isExternallyAccessible(spec: Readonly<JsonObject>): boolean {
  const type = text(spec['type']);
  return (
    type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && texts(spec['externalIPs']).length > 0)
  );
}

/** Whether it has no address of its own. */
export function isHeadless(spec: Spec): boolean {
  const ips = texts(spec['clusterIPs']);
  return ips.length === 1 && ips[0] === 'None';
}

function checkExternalName(out: Errors, spec: Spec): void {
  if (texts(spec['clusterIPs']).length > 0)
    out.push(forbidden('spec.clusterIPs', 'may not be set for ExternalName services'));
  if (texts(spec['ipFamilies']).length > 0)
    out.push(forbidden('spec.ipFamilies', 'may not be set for ExternalName services'));
  if (spec['ipFamilyPolicy'] !== undefined)
    out.push(forbidden('spec.ipFamilyPolicy', 'may not be set for ExternalName services'));
  const name = text(spec['externalName']).replace(/\.$/, '');
  if (name === '') out.push(required('spec.externalName'));
  else checkSubdomain(out, 'spec.externalName', name);
}

function checkPort(out: Errors, path: string, port: JsonObject, needsName: boolean, names: Set<string>): void {
  const name = text(port['name']);
  if (name !== '') {
    checkLabel(out, `${path}.name`, name);
    if (names.has(name)) out.push(duplicate(`${path}.name`, name));
    names.add(name);
  } else if (needsName) out.push(required(`${path}.name`));
  const number = integer(port['port']) ?? 0;
  checkText(out, `${path}.port`, number, portNumberErrors(number));
  checkRequiredEnum(out, `${path}.protocol`, port['protocol'], PROTOCOLS);
  checkPortOrName(out, `${path}.targetPort`, port['targetPort']);
  if (port['appProtocol'] !== undefined) checkQualifiedName(out, `${path}.appProtocol`, text(port['appProtocol']));
}

function checkPorts(out: Errors, spec: Spec): void {
  const ports = records(spec['ports']);
  const names = new Set<string>();
  ports.forEach((port, i) => checkPort(out, `spec.ports[${i}]`, port, ports.length > 1, names));
}

function checkPortUse(out: Errors, spec: Spec): void {
  const nodePorts = new Set<string>();
  const ports = new Set<string>();
  records(spec['ports']).forEach((port, i) => {
    const nodePort = integer(port['nodePort']) ?? 0;
    if (nodePort !== 0 && spec['type'] === 'ClusterIP')
      out.push(forbidden(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
  });
  records(spec['ports']).forEach((port, i) => {
    const nodePort = integer(port['nodePort']) ?? 0;
    if (nodePort === 0) return;
    const key = `${text(port['protocol'])}/${nodePort}`;
    if (nodePorts.has(key)) out.push(duplicate(`spec.ports[${i}].nodePort`, nodePort));
    nodePorts.add(key);
  });
  records(spec['ports']).forEach((port, i) => {
    const key = `${text(port['protocol'])}/${integer(port['port']) ?? 0}`;
    if (ports.has(key)) {
      // The server prints its internal struct, every field of it.
      const shown = structText({
        Name: '',
        Protocol: text(port['protocol']),
        AppProtocol: null,
        Port: integer(port['port']) ?? 0,
        TargetPort: 0,
        NodePort: 0,
      });
      out.push(duplicate(`spec.ports[${i}]`, shown));
    }
    ports.add(key);
  });
}

function checkAffinity(out: Errors, spec: Spec): void {
  checkRequiredEnum(out, 'spec.sessionAffinity', spec['sessionAffinity'], ['ClientIP', 'None']);
  const path = 'spec.sessionAffinityConfig';
  if (spec['sessionAffinity'] === 'None' && record(spec['sessionAffinityConfig'])) {
    out.push(forbidden(path, 'must not be set when session affinity is None'));
  }
  if (spec['sessionAffinity'] !== 'ClientIP') return;
  const timeout = integer(fields(fields(spec['sessionAffinityConfig'])['clientIP'])['timeoutSeconds']);
  if (timeout !== undefined && (timeout <= 0 || timeout > 86400)) {
    out.push(invalid(`${path}.clientIP.timeoutSeconds`, timeout, 'must be greater than 0 and less than 86400'));
  }
}

function checkFamilies(out: Errors, spec: Spec): void {
  const seen = new Set<string>();
  texts(spec['ipFamilies']).forEach((family, i) => {
    checkEnum(out, `spec.ipFamilies[${i}]`, family, ['IPv4', 'IPv6']);
    if (seen.has(family)) out.push(duplicate(`spec.ipFamilies[${i}]`, family));
    seen.add(family);
  });
  checkOptionalEnum(out, 'spec.ipFamilyPolicy', spec['ipFamilyPolicy'], [
    'PreferDualStack',
    'RequireDualStack',
    'SingleStack',
  ]);
}

/** Addresses and families among themselves. */
export function checkClusterIPs(out: Errors, spec: Spec, old: Spec | undefined): void {
  if (spec['type'] === 'ExternalName') return;
  const path = 'spec.clusterIPs';
  const single = text(spec['clusterIP']);
  const ips = texts(spec['clusterIPs']);
  if (single !== '') {
    if (ips.length === 0) out.push(required(path));
    else if (ips[0] !== single) out.push(invalid(path, ips, 'first value must match `clusterIP`'));
  } else if (ips.length > 0) out.push(invalid(path, ips, 'must be empty when `clusterIP` is not specified'));
  checkFamilies(out, spec);
  const known = old ? texts(old['clusterIPs']) : [];
  let sound = true;
  ips.forEach((ip, i) => {
    if (i === 0 && ip === 'None') {
      if (ips.length > 1) {
        sound = false;
        out.push(invalid(path, ips, "'None' must be the first and only value"));
      }
    } else if (!checkIP(out, `${path}[${i}]`, ip, known)) sound = false;
  });
  if (ips.length > 2) out.push(invalid(path, ips, 'may only hold up to 2 values'));
  if (!sound) return;
  if (ips.length > 1 && new Set(ips.map(familyOf)).size < 2)
    out.push(invalid(path, ips, 'may specify no more than one IP for each IP family'));
  if (isHeadless(spec)) return;
  const families = texts(spec['ipFamilies']);
  ips.slice(0, families.length).forEach((ip, i) => {
    const expected = families[i];
    if (expected === 'IPv4' && isIPv6(ip))
      out.push(invalid(`${path}[${i}]`, ip, `expected an IPv4 value as indicated by \`ipFamilies[${i}]\``));
    if (expected === 'IPv6' && !isIPv6(ip))
      out.push(invalid(`${path}[${i}]`, ip, `expected an IPv6 value as indicated by \`ipFamilies[${i}]\``));
  });
}

const RANGES_ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function checkBalancer(out: Errors, service: KubeObject, spec: Spec, old: Spec | undefined): void {
  const balanced = spec['type'] === 'LoadBalancer';
  const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
  const ranges = texts(spec['loadBalancerSourceRanges']);
  const annotation = textMap(service.metadata.annotations)[RANGES_ANNOTATION];
  if (ranges.length > 0) {
    if (!balanced) out.push(forbidden('spec.LoadBalancerSourceRanges', onlyBalanced));
    const known = old ? texts(old['loadBalancerSourceRanges']).map((range) => range.trim()) : [];
    ranges.forEach((range, i) => checkCidr(out, `spec.LoadBalancerSourceRanges[${i}]`, range.trim(), known));
  } else if (annotation !== undefined) {
    const field = atKey('metadata.annotations', RANGES_ANNOTATION);
    if (!balanced) out.push(forbidden(field, onlyBalanced));
    if (annotation.trim() !== '') for (const range of annotation.split(',')) checkCidr(out, field, range.trim());
  }
  if (!balanced && spec['allocateLoadBalancerNodePorts'] !== undefined)
    out.push(forbidden('spec.allocateLoadBalancerNodePorts', onlyBalanced));
  checkBalancerClass(out, spec);
}

/** Only a load balancer has a class. */
export function checkBalancerClass(out: Errors, spec: Spec): void {
  const name = spec['loadBalancerClass'];
  if (name === undefined) return;
  if (spec['type'] === 'LoadBalancer') checkQualifiedName(out, 'spec.loadBalancerClass', text(name));
  else out.push(forbidden('spec.loadBalancerClass', "may only be used when `type` is 'LoadBalancer'"));
}

function checkTraffic(out: Errors, spec: Spec): void {
  const policy = text(spec['externalTrafficPolicy']);
  const field = 'spec.externalTrafficPolicy';
  if (isExternallyAccessible(spec)) checkRequiredEnum(out, field, policy, ['Cluster', 'Local']);
  else if (policy !== '') out.push(invalid(field, policy, 'may only be set for externally-accessible services'));
  const port = integer(spec['healthCheckNodePort']) ?? 0;
  if (spec['type'] === 'LoadBalancer' && policy === 'Local') {
    if (port !== 0) checkText(out, 'spec.healthCheckNodePort', port, portNumberErrors(port));
  } else if (port !== 0) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    out.push(invalid('spec.healthCheckNodePort', port, detail));
  }
  checkOptionalEnum(out, 'spec.internalTrafficPolicy', spec['internalTrafficPolicy'], ['Cluster', 'Local']);
  checkOptionalEnum(out, 'spec.trafficDistribution', spec['trafficDistribution'], [
    'PreferClose',
    'PreferSameZone',
    'PreferSameNode',
  ]);
}

/** A service, new or (with the stored one given) updated. */
export function validateService(service: KubeObject, old: KubeObject | undefined): FieldError[] {
  const out: Errors = [];
  const spec = fields(service['spec']);
  const before = old ? fields(old['spec']) : undefined;
  const annotations = textMap(service.metadata.annotations);
  const [hints, mode] = [
    annotations['service.kubernetes.io/topology-aware-hints'],
    annotations['service.kubernetes.io/topology-mode'],
  ];
  if (hints !== undefined && mode !== undefined && hints !== mode) {
    const detail = 'must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified';
    out.push(invalid('metadata.annotations[service.kubernetes.io/topology-mode]', mode, detail));
  }
  const type = text(spec['type']);
  if (records(spec['ports']).length === 0 && !isHeadless(spec) && type !== 'ExternalName')
    out.push(required('spec.ports'));
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    out.push(invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  }
  if (type === 'ExternalName') checkExternalName(out, spec);
  checkPorts(out, spec);
  checkLabels(out, 'spec.selector', spec['selector']);
  checkAffinity(out, spec);
  checkClusterIPs(out, spec, before);
  const known = before ? texts(before['externalIPs']) : [];
  texts(spec['externalIPs']).forEach((ip, i) => {
    if (checkIP(out, `spec.externalIPs[${i}]`, ip, known)) checkEndpointIP(out, `spec.externalIPs[${i}]`, ip);
  });
  if (type === '') out.push(required('spec.type'));
  else checkEnum(out, 'spec.type', type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']);
  checkPortUse(out, spec);
  checkBalancer(out, service, spec, before);
  checkTraffic(out, spec);
  return out;
}
