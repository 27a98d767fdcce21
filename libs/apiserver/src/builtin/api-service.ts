import { Buffer } from 'node:buffer';
import {
  checkDns1035Label,
  checkDns1123Subdomain,
  goQuote,
  invalid,
  nameIsPathSegment,
  required,
  pushAll,
} from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { BASE, keepField, statusUpdate } from './base.js';
import type { Errors } from './shared/checks.js';
import { defaultTo, ensure, fields, integer, record, text } from './shared/json.js';
import { portNumberErrors } from './shared/texts.js';
import type { ResourceStrategy } from './strategy.js';

function validate(service: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(service['spec']);
  const group = text(spec['group']);
  const version = text(spec['version']);
  if (group === '' && version !== 'v1')
    out.push(required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  if (group !== '')
    pushAll(
      out,
      checkDns1123Subdomain(group).map((reason) => invalid('spec.group', group, reason)),
    );
  pushAll(
    out,
    checkDns1035Label(version).map((reason) => invalid('spec.version', version, reason)),
  );
  const priority = integer(spec['groupPriorityMinimum']) ?? 0;
  if (priority <= 0 || priority > 20000)
    out.push(invalid('spec.groupPriorityMinimum', priority, 'must be positive and less than 20000'));
  const versionPriority = integer(spec['versionPriority']) ?? 0;
  if (versionPriority <= 0 || versionPriority > 1000) {
    out.push(invalid('spec.versionPriority', versionPriority, 'must be positive and less than 1000'));
  }
  const target = record(spec['service']);
  if (!target) {
    if (text(spec['caBundle']) !== '')
      out.push(
        invalid(
          'spec.caBundle',
          `${Buffer.from(text(spec['caBundle']), 'base64').length} bytes`,
          'local APIServices may not have a caBundle',
        ),
      );
    if (spec['insecureSkipTLSVerify'] === true) {
      out.push(invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'));
    }
    return out;
  }
  if (text(target['namespace']) === '') out.push(required('spec.service.namespace'));
  if (text(target['name']) === '') out.push(required('spec.service.name'));
  const port = integer(target['port']) ?? 443;
  if (portNumberErrors(port).length > 0) {
    out.push(invalid('spec.service.port', port, `port is not valid: ${portNumberErrors(port).join(', ')}`));
  }
  if (spec['insecureSkipTLSVerify'] === true && text(spec['caBundle']) !== '') {
    out.push(invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
  }
  return out;
}

/** Strategy of API services. */
export const apiServiceStrategy: ResourceStrategy = {
  ...BASE,
  nameValidator: 'path-segment',
  validateName: (service) => {
    const { version, group } = fields(service['spec']);
    const wanted = `${text(version)}.${text(group)}`;
    return (name) => {
      if (nameIsPathSegment(name, false).length > 0) return [];
      return name === wanted ? [] : [`must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`];
    };
  },
  allowUnconditionalUpdate: false,
  applyDefaults: (service) => {
    const target = record(ensure(service, 'spec')['service']);
    if (target) defaultTo(target, 'port', 443);
  },
  prepareForCreate: (service, ctx) => {
    // A service of the server itself needs nobody's word to be available.
    const local = record(fields(service['spec'])['service']) === undefined;
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: ctx.now,
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    service['status'] = local ? { conditions: [condition] } : {};
  },
  validate,
  prepareForUpdate: (service, old) => keepField(service, old, 'status'),
  validateUpdate: validate,
  subresources: { status: statusUpdate() },
};
