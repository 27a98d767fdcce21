/** What may change in a service. */
import { forbidden, invalid, notSupported, required, pushAll } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkText } from '../shared/checks.js';
import { checkIP, parseIP } from '../shared/ip.js';
import { equalJson, fields, records, text, texts } from '../shared/json.js';
import { dnsSubdomainErrors } from '../shared/texts.js';
import { isHeadless, checkBalancerClass, validateService } from './service-validation.js';
import type { Spec } from './service-validation.js';

function checkListKept(out: Errors, key: string, spec: Spec, old: Spec, what: string): void {
  const now = texts(spec[key]);
  const before = texts(old[key]);
  if (before.length === 0) return;
  const shown = now.length === 0 ? null : now;
  if (now.length === 0) out.push(invalid(`spec.${key}[0]`, shown, `primary ${what} can not be unset`));
  else if (now.length === before.length) {
    before.forEach((value, i) => {
      if (value !== now[i])
        out.push(invalid(`spec.${key}[${key === 'ipFamilies' ? 0 : i}]`, shown, 'may not change once set'));
    });
  } else if (now[0] !== before[0]) out.push(invalid(`spec.${key}[0]`, shown, 'may not change once set'));
  if (now.length === 1 && before.length > 1 && spec['ipFamilyPolicy'] !== 'SingleStack') {
    out.push(
      invalid(
        'spec.ipFamilyPolicy',
        spec['ipFamilyPolicy'] ?? null,
        `must be set to 'SingleStack' when releasing the secondary ${what}`,
      ),
    );
  }
}

function checkAddressesKept(out: Errors, spec: Spec, before: Spec): void {
  const headless = isHeadless(spec);
  const wasHeadless = isHeadless(before);
  if (!(headless && wasHeadless)) checkListKept(out, 'clusterIPs', spec, before, 'clusterIP');
  if (!headless && !wasHeadless) checkListKept(out, 'ipFamilies', spec, before, 'ipFamily');
}

/** An update of a service. */
export function validateServiceUpdate(service: KubeObject, old: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(service['spec']);
  const before = fields(old['spec']);
  if (spec['type'] !== 'ExternalName' && before['type'] !== 'ExternalName') checkAddressesKept(out, spec, before);
  const balanced = (value: Spec): boolean => value['type'] === 'LoadBalancer';
  if (balanced(spec) && balanced(before) && !equalJson(spec['loadBalancerClass'], before['loadBalancerClass'])) {
    out.push(invalid('spec.loadBalancerClass', spec['loadBalancerClass'] ?? null, 'may not change once set'));
  }
  checkBalancerClass(out, spec);
  const checked = (value: Spec): boolean => balanced(value) && value['externalTrafficPolicy'] === 'Local';
  if (checked(spec) && checked(before) && spec['healthCheckNodePort'] !== before['healthCheckNodePort']) {
    out.push(forbidden('spec.healthCheckNodePort', 'field is immutable'));
  }
  pushAll(out, validateService(service, old));
  return out;
}

/** The load balancer's addresses. */
export function validateServiceStatus(service: KubeObject, old: KubeObject): FieldError[] {
  const out: Errors = [];
  const ingress = records(fields(fields(service['status'])['loadBalancer'])['ingress']);
  const path = 'status.loadBalancer.ingress';
  if (fields(service['spec'])['type'] !== 'LoadBalancer' && ingress.length > 0) {
    return [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const known = records(fields(fields(old['status'])['loadBalancer'])['ingress']).map((entry) => text(entry['ip']));
  ingress.forEach((entry, i) => {
    const at = `${path}[${i}]`;
    const ip = text(entry['ip']);
    const mode = entry['ipMode'];
    if (ip !== '') checkIP(out, `${at}.ip`, ip, known);
    if (mode === undefined) {
      if (ip !== '') out.push(required(`${at}.ipMode`, 'must be specified when `ip` is set'));
    } else if (ip === '') out.push(forbidden(`${at}.ipMode`, 'may not be specified when `ip` is not set'));
    else if (mode !== 'Proxy' && mode !== 'VIP') out.push(notSupported(`${at}.ipMode`, mode, ['Proxy', 'VIP']));
    const host = text(entry['hostname']);
    if (host === '') return;
    checkText(out, `${at}.hostname`, host, dnsSubdomainErrors(host));
    if (parseIP(host) !== undefined) out.push(invalid(`${at}.hostname`, host, 'must be a DNS name, not an IP address'));
  });
  return out;
}
