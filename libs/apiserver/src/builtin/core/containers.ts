/** Containers of pods: regular, init and ephemeral ones. */
import { duplicate, forbidden, invalid, notFound, notSupported, required, tooMany } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkEnum, checkLabel, checkRequiredEnum, checkText } from '../shared/checks.js';
import { typedText } from '../../codec/index.js';
import { integer, record, records, text } from '../shared/json.js';
import { portNameErrors, portNumberErrors } from '../shared/texts.js';
import { checkEnv, checkEnvFrom } from './env.js';
import { checkMountsAndDevices } from './mounts.js';
import { checkLifecycle, checkProbe } from './probes.js';
import { checkContainerResources } from './resources.js';
import { checkContainerSecurity } from './security.js';

/** What containers need to know of their pod. */
export interface PodScope {
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly claims: ReadonlySet<string>;
  readonly grace: number | undefined;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function checkPorts(out: Errors, path: string, ports: unknown): void {
  const names = new Set<string>();
  records(ports).forEach((port, i) => {
    const at = `${path}[${i}]`;
    const name = text(port['name']);
    if (name !== '') {
      const complaints = portNameErrors(name);
      checkText(out, `${at}.name`, name, complaints);
      if (complaints.length === 0 && names.has(name)) out.push(duplicate(`${at}.name`, name));
      names.add(name);
    }
    const number = integer(port['containerPort']) ?? 0;
    if (number === 0) out.push(required(`${at}.containerPort`));
    else checkText(out, `${at}.containerPort`, number, portNumberErrors(number));
    const host = integer(port['hostPort']) ?? 0;
    if (host !== 0) checkText(out, `${at}.hostPort`, host, portNumberErrors(host));
    checkRequiredEnum(out, `${at}.protocol`, port['protocol'], PROTOCOLS);
  });
}

function checkHostPorts(out: Errors, path: string, containers: readonly JsonObject[], first = 0): void {
  const used = new Set<string>();
  containers.forEach((container, i) => {
    records(container['ports']).forEach((port, at) => {
      const number = integer(port['hostPort']) ?? 0;
      if (number === 0) return;
      const key = `${text(port['protocol'])}/${text(port['hostIP'])}/${number}`;
      if (used.has(key)) out.push(duplicate(`${path}[${i + first}].ports[${at}].hostPort`, key));
      used.add(key);
    });
  });
}

function checkResizePolicy(out: Errors, path: string, policies: unknown, podRestartPolicy: string): void {
  const seen = new Set<string>();
  records(policies).forEach((policy, i) => {
    const resource = text(policy['resourceName']);
    const restart = text(policy['restartPolicy']);
    if (seen.has(resource)) out.push(duplicate(`${path}[${i}]`, resource));
    seen.add(resource);
    checkRequiredEnum(out, path, resource, ['cpu', 'memory']);
    checkRequiredEnum(out, path, restart, ['NotRequired', 'RestartContainer']);
    if (podRestartPolicy === 'Never' && restart !== 'NotRequired') {
      out.push(invalid(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
  });
}

function checkCommon(out: Errors, path: string, container: JsonObject, pod: PodScope): void {
  const name = text(container['name']);
  if (name === '') out.push(required(`${path}.name`));
  else checkLabel(out, `${path}.name`, name);
  if (text(container['image']) === '') out.push(required(`${path}.image`));
  checkRequiredEnum(out, `${path}.terminationMessagePolicy`, container['terminationMessagePolicy'], [
    'File',
    'FallbackToLogsOnError',
  ]);
  checkPorts(out, `${path}.ports`, container['ports']);
  checkEnv(out, `${path}.env`, container['env']);
  checkEnvFrom(out, `${path}.envFrom`, container['envFrom']);
  checkMountsAndDevices(out, path, container, pod.volumes);
  checkRequiredEnum(out, `${path}.imagePullPolicy`, container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never']);
  checkContainerResources(out, `${path}.resources`, container['resources'], pod.claims);
  checkResizePolicy(out, `${path}.resizePolicy`, container['resizePolicy'], pod.restartPolicy);
  checkContainerSecurity(out, `${path}.securityContext`, container['securityContext'], pod.hostUsers);
}

function checkProbes(out: Errors, path: string, container: JsonObject, pod: PodScope): void {
  checkLifecycle(out, `${path}.lifecycle`, container['lifecycle'], pod.grace);
  checkProbe(out, `${path}.livenessProbe`, container['livenessProbe'], 'liveness', pod.grace);
  checkProbe(out, `${path}.readinessProbe`, container['readinessProbe'], 'readiness', pod.grace);
  checkProbe(out, `${path}.startupProbe`, container['startupProbe'], 'startup', pod.grace);
}

function checkRestartRules(out: Errors, path: string, container: JsonObject): void {
  const policy = container['restartPolicy'];
  const rules = records(container['restartPolicyRules']);
  if (policy === undefined) {
    if (rules.length === 0) return;
    out.push(required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used'));
  } else checkEnum(out, `${path}.restartPolicy`, policy, ['Always', 'Never', 'OnFailure']);
  if (rules.length > 20) out.push(tooMany(`${path}.restartPolicyRules`, rules.length, 20));
  rules.forEach((rule, i) => {
    const at = `${path}.restartPolicyRules[${i}]`;
    checkEnum(out, `${at}.action`, rule['action'], ['Restart', 'RestartAllContainers']);
    const codes = record(rule['exitCodes']);
    if (!codes) {
      out.push(required(`${at}.exitCodes`, 'must be specified'));
      return;
    }
    checkEnum(out, `${at}.exitCodes.operator`, codes['operator'], ['In', 'NotIn']);
    const count = records(codes['values']).length;
    if (count > 255) out.push(tooMany(`${at}.exitCodes.values`, count, 255));
  });
}

/** The containers of a pod. */
export function checkContainers(out: Errors, path: string, list: unknown, pod: PodScope): void {
  const containers = records(list);
  if (containers.length === 0) {
    out.push(required(path));
    return;
  }
  const names = new Set<string>();
  containers.forEach((container, i) => {
    const at = `${path}[${i}]`;
    checkCommon(out, at, container, pod);
    const name = text(container['name']);
    if (names.has(name)) out.push(duplicate(`${at}.name`, name));
    names.add(name);
    checkProbes(out, at, container, pod);
    checkRestartRules(out, at, container);
  });
  checkHostPorts(out, path, containers);
}

const SIDECAR_ONLY = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

/** Containers that run before the others, or (restartPolicy Always) next to them. */
export function checkInitContainers(out: Errors, path: string, list: unknown, regular: unknown, pod: PodScope): void {
  const names = new Set(records(regular).map((container) => text(container['name'])));
  records(list).forEach((container, i) => {
    const at = `${path}[${i}]`;
    checkCommon(out, at, container, pod);
    checkRestartRules(out, at, container);
    const name = text(container['name']);
    if (names.has(name)) out.push(duplicate(`${at}.name`, name));
    else if (name !== '') names.add(name);
    // Each is checked alone, so the server always speaks of index 0.
    checkHostPorts(out, path, [container]);
    const sidecar = container['restartPolicy'] === 'Always';
    if (sidecar) checkProbes(out, at, container, pod);
    else {
      for (const key of SIDECAR_ONLY) {
        if (record(container[key]))
          out.push(forbidden(`${at}.${key}`, 'may not be set for init containers without restartPolicy=Always'));
      }
      records(container['resizePolicy']).forEach((policy, j) => {
        if (policy['restartPolicy'] !== 'RestartContainer') return;
        const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
        out.push(invalid(`${at}.resizePolicy[${j}].restartPolicy`, 'RestartContainer', detail));
      });
    }
  });
}

const EPHEMERAL_FORBIDDEN = [
  'ports',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'restartPolicy',
  'resizePolicy',
  'restartPolicyRules',
];

function isSet(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Containers added to a running pod for debugging. */
export function checkEphemeralContainers(out: Errors, path: string, spec: Readonly<JsonObject>, pod: PodScope): void {
  const others = new Set(
    [...records(spec['containers']), ...records(spec['initContainers'])].map((container) => text(container['name'])),
  );
  const names = new Set(others);
  records(spec['ephemeralContainers']).forEach((container, i) => {
    const at = `${path}[${i}]`;
    checkCommon(out, at, container, pod);
    checkImageSpaces(out, at, container);
    const name = text(container['name']);
    if (names.has(name)) out.push(duplicate(`${at}.name`, name));
    names.add(name);
    const target = text(container['targetContainerName']);
    if (target !== '' && !others.has(target)) out.push(notFound(`${at}.targetContainerName`, target));
    for (const key of EPHEMERAL_FORBIDDEN) {
      if (isSet(container[key])) out.push(forbidden(`${at}.${key}`, 'cannot be set for an Ephemeral Container'));
    }
    records(container['volumeMounts']).forEach((mount, j) => {
      for (const key of ['subPath', 'subPathExpr']) {
        if (text(mount[key]) !== '')
          out.push(forbidden(`${at}.volumeMounts[${j}].${key}`, 'cannot be set for an Ephemeral Container'));
      }
    });
  });
}

/** Images of pods (not of templates) may not be padded. */
export function checkImageSpaces(out: Errors, path: string, container: JsonObject): void {
  const image = text(container['image']);
  if (image !== image.trim()) out.push(invalid(`${path}.image`, image, 'must not have leading or trailing whitespace'));
}

/** An enumeration in the order the server lists it. */
export function checkPolicy(out: Errors, field: string, value: unknown, values: readonly string[]): void {
  if (text(value) === '') out.push(required(field));
  else if (!values.includes(text(value))) out.push(notSupported(field, typedText(text(value)), values));
}
