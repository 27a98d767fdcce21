/** Ingresses and their classes. */
import { RawValue, invalid, notSupported, required, tooLong, pushAll } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { counted, specAndStatus, statusUpdate } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkEnum, checkImmutable, checkLabel, checkSubdomain, checkText } from '../shared/checks.js';
import { checkIP, parseIP } from '../shared/ip.js';
import { defaultTo, ensure, fields, integer, record, records, text, textMap, texts } from '../shared/json.js';
import { pathSegmentErrors } from '../shared/names.js';
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  portNameErrors,
  portNumberErrors,
  wildcardSubdomainErrors,
} from '../shared/texts.js';
import { sentEmpty } from '../shared/sent-empties.js';
import { metadataAgain, type ResourceStrategy } from '../strategy.js';

const BAD_SEQUENCES = ['//', '/./', '/../', '%2f', '%2F'];
const BAD_SUFFIXES = ['/..', '/.'];

function checkTypedReference(out: Errors, path: string, ref: Readonly<JsonObject>): void {
  if (typeof ref['apiGroup'] === 'string') checkSubdomain(out, `${path}.apiGroup`, ref['apiGroup']);
  for (const key of ['kind', 'name']) {
    const value = text(ref[key]);
    if (value === '') out.push(required(`${path}.${key}`));
    else checkText(out, `${path}.${key}`, value, pathSegmentErrors(value));
  }
}

function checkServiceBackend(out: Errors, path: string, service: JsonObject): void {
  const name = text(service['name']);
  if (name === '') out.push(required(`${path}.service.name`));
  else checkLabel(out, `${path}.service.name`, name);
  const port = fields(service['port']);
  const portName = text(port['name']);
  const number = integer(port['number']) ?? 0;
  if (portName !== '' && number !== 0) out.push(invalid(path, '', 'cannot set both port name & port number'));
  else if (portName !== '') checkText(out, `${path}.service.port.name`, portName, portNameErrors(portName));
  else if (number !== 0) checkText(out, `${path}.service.port.number`, number, portNumberErrors(number));
  else out.push(required(path, 'port name or number is required'));
}

function checkBackend(out: Errors, path: string, backend: Readonly<JsonObject>): void {
  const resource = record(backend['resource']);
  const service = record(backend['service']);
  if (resource && service) out.push(invalid(path, '', 'cannot set both resource and service backends'));
  else if (resource) checkTypedReference(out, `${path}.resource`, resource);
  else if (service) checkServiceBackend(out, path, service);
  else out.push(invalid(path, '', 'resource or service backend is required'));
}

function checkPlainPath(out: Errors, field: string, path: string): void {
  if (!path.startsWith('/')) out.push(invalid(field, path, 'must be an absolute path'));
  for (const bad of BAD_SEQUENCES) if (path.includes(bad)) out.push(invalid(field, path, `must not contain '${bad}'`));
  for (const bad of BAD_SUFFIXES) if (path.endsWith(bad)) out.push(invalid(field, path, `cannot end with '${bad}'`));
}

function checkPath(out: Errors, at: string, entry: JsonObject): void {
  const path = text(entry['path']);
  const type = entry['pathType'];
  if (type === undefined || type === null) {
    out.push(required(`${at}.pathType`, 'pathType must be specified'));
    return;
  }
  if (type === 'Exact' || type === 'Prefix') checkPlainPath(out, `${at}.path`, path);
  else if (type === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) out.push(invalid(`${at}.path`, path, 'must be an absolute path'));
  } else out.push(notSupported(`${at}.pathType`, type, ['Exact', 'ImplementationSpecific', 'Prefix']));
  checkBackend(out, `${at}.backend`, fields(entry['backend']));
}

function checkHost(out: Errors, field: string, host: string): void {
  checkText(out, field, host, host.includes('*') ? wildcardSubdomainErrors(host) : dnsSubdomainErrors(host));
}

function checkRules(out: Errors, rules: readonly JsonObject[]): void {
  rules.forEach((rule, i) => {
    const path = `spec.rules[${i}]`;
    const host = text(rule['host']);
    if (host !== '') {
      if (parseIP(host) !== undefined) out.push(invalid(`${path}.host`, host, 'must be a DNS name, not an IP address'));
      checkHost(out, `${path}.host`, host);
    }
    const http = record(rule['http']);
    if (!http) return;
    const paths = records(http['paths']);
    if (paths.length === 0) out.push(required(`${path}.http.paths`));
    paths.forEach((entry, j) => checkPath(out, `${path}.http.paths[${j}]`, entry));
  });
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

function validate(ingress: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(ingress['spec']);
  const rules = records(spec['rules']);
  const backend = record(spec['defaultBackend']);
  if (rules.length === 0 && !backend)
    out.push(
      invalid(
        'spec',
        spec['rules'] ?? sentEmpty(ingress, 'spec.rules') ?? new RawValue('null'),
        'either `defaultBackend` or `rules` must be specified',
      ),
    );
  if (backend) checkBackend(out, 'spec.defaultBackend', backend);
  checkRules(out, rules);
  records(spec['tls']).forEach((tls, i) => {
    texts(tls['hosts']).forEach((host, j) => checkHost(out, `spec.tls[${i}].hosts[${j}]`, host));
    const secret = text(tls['secretName']);
    if (secret !== '') checkSubdomain(out, `spec.tls[${i}].secretName`, secret);
  });
  if (spec['ingressClassName'] !== undefined)
    checkSubdomain(out, 'spec.ingressClassName', text(spec['ingressClassName']));
  return out;
}

function validateCreate(ingress: KubeObject): FieldError[] {
  const out = validate(ingress);
  const annotation = textMap(ingress.metadata.annotations)[CLASS_ANNOTATION];
  const named = fields(ingress['spec'])['ingressClassName'];
  if (annotation !== undefined && named !== undefined && annotation !== named) {
    out.push(
      invalid(`annotations.${CLASS_ANNOTATION}`, annotation, 'must match `ingressClassName` when both are specified'),
    );
  }
  return out;
}

function warnings(ingress: KubeObject): string[] {
  if (textMap(ingress.metadata.annotations)[CLASS_ANNOTATION] === undefined) return [];
  return [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`];
}

function validateStatus(ingress: KubeObject, old: KubeObject): FieldError[] {
  const out: Errors = [];
  const entries = (obj: KubeObject): readonly JsonObject[] =>
    records(fields(fields(obj['status'])['loadBalancer'])['ingress']);
  const known = entries(old).map((entry) => text(entry['ip']));
  entries(ingress).forEach((entry, i) => {
    const path = `status.loadBalancer.ingress[${i}]`;
    if (text(entry['ip']) !== '') checkIP(out, `${path}.ip`, text(entry['ip']), known);
    const host = text(entry['hostname']);
    if (host === '') return;
    checkSubdomain(out, `${path}.hostname`, host);
    if (parseIP(host) !== undefined)
      out.push(invalid(`${path}.hostname`, host, 'must be a DNS name, not an IP address'));
  });
  return out;
}

/** Strategy of ingresses. */
export const ingressStrategy: ResourceStrategy = specAndStatus(
  { loadBalancer: {} },
  {
    validate: validateCreate,
    warningsOnCreate: warnings,
    validateUpdate: validate,
    subresources: { status: statusUpdate(validateStatus) },
  },
);

const MAX_CONTROLLER = 250;
const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const HTTP_PATH_REGEX = new RegExp(`^${HTTP_PATH}$`);

function checkController(out: Errors, controller: string): void {
  const field = 'spec.controller';
  if (controller.length > MAX_CONTROLLER) out.push(tooLong(field, '', MAX_CONTROLLER));
  const slash = controller.indexOf('/');
  const [host, path] = [controller.slice(0, Math.max(0, slash)), controller.slice(slash + 1)];
  if (controller === '') out.push(required(field));
  else if (host === '' || path === '')
    out.push(invalid(field, controller, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  else {
    checkText(out, field, host, dnsSubdomainErrors(host));
    if (!HTTP_PATH_REGEX.test(path))
      out.push(invalid(field, path, `Invalid path (regex used for validation is '${HTTP_PATH}')`));
  }
}

function checkParameters(out: Errors, parameters: JsonObject | undefined): void {
  if (!parameters) return;
  const path = 'spec.parameters';
  checkTypedReference(out, path, parameters);
  const scope = text(parameters['scope']);
  const namespace = parameters['namespace'];
  if (scope === '') out.push(required(`${path}.scope`));
  else checkEnum(out, `${path}.scope`, scope, ['Cluster', 'Namespace']);
  if (scope === 'Namespace') {
    if (text(namespace) === '') out.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
    else checkText(out, `${path}.namespace`, text(namespace), dnsLabelErrors(text(namespace)));
  } else if (scope === 'Cluster' && namespace !== undefined) {
    out.push({ type: 'Forbidden', field: `${path}.namespace`, detail: "`parameters.scope` is set to 'Cluster'" });
  }
}

function validateClass(ingressClass: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(ingressClass['spec']);
  checkController(out, text(spec['controller']));
  checkParameters(out, record(spec['parameters']));
  return out;
}

/** Strategy of ingress classes. */
export const ingressClassStrategy: ResourceStrategy = counted(['spec'], {
  applyDefaults: (ingressClass) => {
    const parameters = record(ensure(ingressClass, 'spec')['parameters']);
    if (parameters) defaultTo(parameters, 'scope', 'Cluster');
  },
  validate: validateClass,
  validateUpdate: (ingressClass, old, context) => {
    const { asChange, asNew } = metadataAgain(context);
    const out: Errors = [...asChange];
    checkImmutable(
      out,
      'spec.controller',
      text(fields(ingressClass['spec'])['controller']),
      text(fields(old['spec'])['controller']),
    );
    pushAll(out, asNew, validateClass(ingressClass));
    return out;
  },
});
