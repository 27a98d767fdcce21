/** Things the server accepts with a raised eyebrow. `path` is empty for pods and the template's path for templates. */
import { deepEqual, joinField, lookUp, pushAll } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { fields, integer, record, records, text, textMap, texts } from '../shared/json.js';
import { isWhole } from '../shared/quantity.js';
import { labelValueErrors } from '../shared/names.js';
import { dnsLabelErrors } from '../shared/texts.js';
import { warnClaimTemplate, warnVolumePaths } from './pod-volume-warnings.js';

const DEPRECATED_ANNOTATIONS: readonly (readonly [string, string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

const SECCOMP = 'seccomp.security.alpha.kubernetes.io/';
const SECCOMP_MESSAGE = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const APP_ARMOR_MESSAGE = 'deprecated since v1.30; use the "appArmorProfile" field instead';

const DEPRECATED_VOLUMES: readonly (readonly [string, string, string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

const DEPRECATED_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

function eachContainer(
  path: string,
  spec: Readonly<JsonObject>,
  visit: (container: JsonObject, at: string) => void,
): void {
  for (const list of CONTAINER_LISTS)
    records(spec[list]).forEach((container, i) => visit(container, `${path}.${list}[${i}]`));
}

function warnResources(out: string[], path: string, holder: Readonly<JsonObject>, lists: readonly string[]): void {
  for (const resource of ['memory', 'ephemeral-storage']) {
    for (const list of lists) {
      const quantity = fields(holder[list])[resource];
      if (quantity === undefined || isWhole(quantity)) continue;
      out.push(
        `${path}.${list}[${resource}]: fractional byte value "${text(quantity)}" is invalid, must be an integer`,
      );
    }
  }
}

function warnEnv(out: string[], path: string, container: JsonObject): void {
  const seen = new Set<string>();
  records(container['env']).forEach((variable, i) => {
    const name = text(variable['name']);
    if (!seen.has(name)) {
      seen.add(name);
      return;
    }
    const reference = `$(${name})`;
    const value = text(variable['value']);
    if (record(variable['valueFrom']) || value === reference || !value.includes(reference)) {
      out.push(`${path}.env[${i}]: hides previous definition of "${name}", which may be dropped when using apply`);
    }
  });
}

interface PortAt {
  readonly at: string;
  readonly hostIP: string;
  readonly hostPort: number;
}

function portClash(port: PortAt, other: PortAt): string | undefined {
  if (port.hostIP === other.hostIP && port.hostPort === other.hostPort) return 'duplicate port definition';
  if (port.hostPort === 0 || other.hostPort === 0) return 'overlapping port definition';
  const oneIsAny = (port.hostIP === '') !== (other.hostIP === '');
  return port.hostPort === other.hostPort && oneIsAny ? 'dangerously ambiguous port definition' : undefined;
}

/** A port as Go prints it. */
function goPort(port: JsonObject): string {
  const [hostPort, containerPort] = [integer(port['hostPort']) ?? 0, integer(port['containerPort']) ?? 0];
  const { name, protocol, hostIP } = port;
  return `{Name:${text(name)} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${text(protocol)} HostIP:${text(hostIP)}}`;
}

function warnPorts(out: string[], path: string, spec: Readonly<JsonObject>): void {
  const ports = new Map<string, PortAt[]>();
  const names = new Map<string, string>();
  const named: string[] = [];
  eachContainer(path, spec, (container, containerPath) => {
    records(container['ports']).forEach((port, i) => {
      const at = `${containerPath}.ports[${i}]`;
      const entry = { at, hostIP: text(port['hostIP']), hostPort: integer(port['hostPort']) ?? 0 };
      const key = `${integer(port['containerPort']) ?? 0}/${text(port['protocol'])}`;
      if (entry.hostIP !== '' && entry.hostPort === 0) out.push(`${at}: hostIP set without hostPort: ${goPort(port)}`);
      const others = ports.get(key) ?? [];
      for (const other of others) {
        const clash = portClash(entry, other);
        if (clash !== undefined) out.push(`${at}: ${clash} with ${other.at}`);
      }
      ports.set(key, [...others, entry]);
      const name = text(port['name']);
      const other = names.get(name);
      if (name === '') return;
      if (other === undefined) names.set(name, at);
      else
        named.push(
          `${at}: duplicate port name "${name}" with ${other}, services and probes that select ports by name will use ${other}`,
        );
    });
  });
  pushAll(out, named);
}

function warnDuplicates(out: string[], path: string, list: readonly JsonObject[], key: string): void {
  const seen = new Set<string>();
  list.forEach((item, i) => {
    const value = text(item[key]);
    if (seen.has(value)) out.push(`${path}[${i}].${key}: duplicate ${key} "${value}"`);
    seen.add(value);
  });
}

function warnNodeTerm(out: string[], path: string, term: Readonly<JsonObject>, checksValues: boolean): void {
  records(term['matchExpressions']).forEach((expression, i) => {
    const at = `${path}.matchExpressions[${i}]`;
    const key = text(expression['key']);
    const message = lookUp(DEPRECATED_LABELS, key);
    if (message !== undefined) out.push(`${at}.key: ${key} is ${message}`);
    if (!checksValues) return;
    texts(expression['values']).forEach((value, index) => {
      for (const fault of labelValueErrors(value)) out.push(`${at}.values[${index}]: ${value} is invalid, ${fault}`);
    });
  });
}

function warnNodeAffinity(out: string[], path: string, affinity: Readonly<JsonObject>): void {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  records(fields(affinity[required])['nodeSelectorTerms']).forEach((term, i) => {
    warnNodeTerm(out, `${path}.${required}.nodeSelectorTerms[${i}]`, term, false);
  });
  records(affinity[preferred]).forEach((term, i) => {
    warnNodeTerm(out, `${path}.${preferred}[${i}].preference`, fields(term['preference']), true);
  });
}

function warnScheduling(out: string[], path: string, spec: Readonly<JsonObject>): void {
  for (const key of Object.keys(textMap(spec['nodeSelector']))) {
    const message = lookUp(DEPRECATED_LABELS, key);
    if (message !== undefined) out.push(`${path}.nodeSelector[${key}]: ${message}`);
  }
  warnNodeAffinity(out, `${path}.affinity.nodeAffinity`, fields(fields(spec['affinity'])['nodeAffinity']));
  records(spec['topologySpreadConstraints']).forEach((constraint, i) => {
    const at = `${path}.topologySpreadConstraints[${i}]`;
    const key = text(constraint['topologyKey']);
    const message = lookUp(DEPRECATED_LABELS, key);
    if (message !== undefined) out.push(`${at}.topologyKey: ${key} is ${message}`);
    if (!record(constraint['labelSelector']))
      out.push(`${at}.labelSelector: a null labelSelector results in matching no pod`);
  });
}

function warnAffinity(out: string[], path: string, spec: Readonly<JsonObject>): void {
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const affinity = fields(fields(spec['affinity'])[kind]);
    const at = `${path}.affinity.${kind}`;
    records(affinity['requiredDuringSchedulingIgnoredDuringExecution']).forEach((term, i) => {
      if (record(term['labelSelector'])) return;
      out.push(
        `${at}.requiredDuringSchedulingIgnoredDuringExecution[${i}].labelSelector: a null labelSelector results in matching no pod`,
      );
    });
    records(affinity['preferredDuringSchedulingIgnoredDuringExecution']).forEach((term, i) => {
      if (record(fields(term['podAffinityTerm'])['labelSelector'])) return;
      const where = `${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}].podAffinityTerm.labelSelector`;
      out.push(`${where}: a null labelSelector results in matching no pod`);
    });
  }
}

/** Warns of annotations that have no effect since fields replaced them. */
class SecurityAnnotations {
  readonly #annotations: Readonly<Record<string, string>>;
  readonly #path: string;
  readonly #podContext: Readonly<JsonObject>;
  /** Those of a template; in pods they become fields. */
  readonly #warnsOfAppArmor: boolean;

  constructor(path: string, annotations: Readonly<Record<string, string>>, spec: Readonly<JsonObject>) {
    this.#annotations = annotations;
    this.#path = `${joinField(path, 'metadata')}.annotations`;
    this.#podContext = fields(spec['securityContext']);
    this.#warnsOfAppArmor = path !== '';
  }

  ofPod(out: string[]): void {
    if (!record(this.#podContext['seccompProfile'])) this.#warn(out, `${SECCOMP}pod`, SECCOMP_MESSAGE);
  }

  ofContainer(out: string[], container: JsonObject): void {
    const name = text(container['name']);
    const context = fields(container['securityContext']);
    if (!record(context['seccompProfile'])) this.#warn(out, `container.${SECCOMP}${name}`, SECCOMP_MESSAGE);
    if (!this.#warnsOfAppArmor || record(context['appArmorProfile'])) return;
    const key = `${APP_ARMOR}${name}`;
    const ofPod = record(this.#podContext['appArmorProfile']);
    if (ofPod && deepEqual(ofPod, appArmorProfile(this.#annotations[key] ?? ''))) return;
    this.#warn(out, key, APP_ARMOR_MESSAGE);
  }

  #warn(out: string[], key: string, message: string): void {
    if (Object.hasOwn(this.#annotations, key)) out.push(`${this.#path}[${key}]: ${message}`);
  }
}

/** The profile an AppArmor annotation stands for. */
function appArmorProfile(annotation: string): JsonObject | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const local = /^localhost\/(.+)$/s.exec(annotation)?.[1];
  return local === undefined ? undefined : { type: 'Localhost', localhostProfile: local };
}

/** Warnings for a pod (path '') or a template (its path). */
export function podWarnings(path: string, metadata: unknown, specValue: unknown): string[] {
  const out: string[] = [];
  const spec = fields(specValue);
  const at = joinField(path, 'spec');
  warnScheduling(out, at, spec);
  const annotations = textMap(fields(metadata)['annotations']);
  for (const [key, message] of DEPRECATED_ANNOTATIONS) {
    if (annotations[key] !== undefined) out.push(`${joinField(path, 'metadata')}.annotations[${key}]: ${message}`);
  }
  records(spec['volumes']).forEach((volume, i) => {
    for (const [key, shown, message] of DEPRECATED_VOLUMES)
      if (record(volume[key])) out.push(`${at}.volumes[${i}].${shown}: ${message}`);
    warnClaimTemplate(out, `${at}.volumes[${i}]`, volume);
  });
  warnVolumePaths(out, records(spec['volumes']));
  warnDuplicates(out, `${at}.hostAliases`, records(spec['hostAliases']), 'ip');
  warnDuplicates(out, `${at}.imagePullSecrets`, records(spec['imagePullSecrets']), 'name');
  records(spec['imagePullSecrets']).forEach((secret, i) => {
    if (text(secret['name']) === '') out.push(`${at}.imagePullSecrets[${i}].name: invalid empty name ""`);
  });
  warnResources(out, at, spec, ['overhead']);
  const security = new SecurityAnnotations(path, annotations, spec);
  security.ofPod(out);
  eachContainer(at, spec, (container, where) => {
    security.ofContainer(out, container);
    warnResources(out, `${where}.resources`, fields(container['resources']), ['limits', 'requests']);
    warnEnv(out, where, container);
  });
  warnPorts(out, at, spec);
  if ((integer(spec['terminationGracePeriodSeconds']) ?? 0) < 0) {
    out.push(`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`);
  }
  warnAffinity(out, at, spec);
  return out;
}

/** Warns of names in host names that are no DNS labels; `use` describes where the name is used. */
export function hostnameWarnings(name: string | undefined, use: string): string[] {
  const complaints = dnsLabelErrors(name ?? '');
  if (complaints.length === 0) return [];
  const shown = `[${complaints.join(' ')}]`;
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: ${shown}`,
  ];
}
