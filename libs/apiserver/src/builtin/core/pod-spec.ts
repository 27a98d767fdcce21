/** Validation of PodSpec and PodTemplateSpec. */
import { duplicate, forbidden, invalid, required, tooLong } from '@capstan/meta';
import type { JsonObject, ObjectMeta } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import {
  checkAnnotations,
  checkLabel,
  checkLabels,
  checkQualifiedName,
  checkSubdomain,
  checkText,
} from '../shared/checks.js';
import { fields, integer, record, records, text, textMap, texts } from '../shared/json.js';
import { checkIP } from '../shared/ip.js';
import { rangeErrors, underscoreSubdomainErrors } from '../shared/texts.js';
import { checkAffinity, checkSpread, checkTolerations } from './affinity.js';
import type { PodScope } from './containers.js';
import { checkContainers, checkEphemeralContainers, checkInitContainers, checkPolicy } from './containers.js';
import { checkContainerResources, checkPodResources } from './resources.js';
import { checkOs, checkPodSecurity } from './security.js';
import { checkVolumes } from './volumes.js';

/** Legal values of `restartPolicy`, in the server's order. */
const RESTART_POLICIES: readonly string[] = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

function checkDns(out: Errors, path: string, spec: Readonly<JsonObject>): void {
  const config = record(spec['dnsConfig']);
  const servers = texts(config?.['nameservers']);
  if (spec['dnsPolicy'] === 'None') {
    if (!config) {
      out.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
      return;
    }
    if (servers.length === 0) {
      out.push(required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
      return;
    }
  }
  if (!config) return;
  if (servers.length > 3) out.push(invalid(`${path}.nameservers`, servers, 'must not have more than 3 nameservers'));
  servers.forEach((server, i) => checkIP(out, `${path}.nameservers[${i}]`, server));
  const searches = texts(config['searches']);
  if (searches.length > 32) out.push(invalid(`${path}.searches`, searches, 'must not have more than 32 search paths'));
  if (searches.join(' ').length > 2048) {
    out.push(
      invalid(
        `${path}.searches`,
        searches,
        'must not have more than 2048 characters (including spaces) in the search list',
      ),
    );
  }
  searches.forEach((search, i) => {
    if (search === '.') return;
    const bare = search.replace(/\.$/, '');
    checkText(out, `${path}.searches[${i}]`, bare, underscoreSubdomainErrors(bare));
  });
  records(config['options']).forEach((option, i) => {
    if (text(option['name']) === '') out.push(required(`${path}.options[${i}]`, 'must not be empty'));
  });
}

function checkHostNetwork(out: Errors, path: string, spec: Readonly<JsonObject>, isPod: boolean): void {
  if (spec['hostNetwork'] !== true) return;
  records(spec['containers']).forEach((container, i) => {
    records(container['ports']).forEach((port, j) => {
      const host = integer(port['hostPort']) ?? 0;
      if ((isPod || host !== 0) && host !== port['containerPort']) {
        out.push(
          invalid(
            `${path}.containers[${i}].ports[${j}].hostPort`,
            host,
            'must match `containerPort` when `hostNetwork` is true',
          ),
        );
      }
    });
  });
}

function checkResourceClaims(out: Errors, path: string, claims: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  records(claims).forEach((claim, i) => {
    const at = `${path}[${i}]`;
    const name = text(claim['name']);
    if (name === '') out.push(required(`${at}.name`));
    else if (names.has(name)) out.push(duplicate(`${at}.name`, name));
    else checkLabel(out, `${at}.name`, name);
    if (name !== '') names.add(name);
    const direct = claim['resourceClaimName'];
    const template = claim['resourceClaimTemplateName'];
    if (direct !== undefined && template !== undefined) {
      out.push(
        invalid(at, claim, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'),
      );
    }
    if (direct === undefined && template === undefined) {
      out.push(invalid(at, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    }
    if (direct !== undefined) checkSubdomain(out, `${at}.resourceClaimName`, text(direct));
    if (template !== undefined) checkSubdomain(out, `${at}.resourceClaimTemplateName`, text(template));
  });
  return names;
}

function checkGates(out: Errors, path: string, spec: Readonly<JsonObject>): void {
  records(spec['readinessGates']).forEach((gate, i) => {
    checkQualifiedName(out, `${path}.readinessGates[${i}].conditionType`, text(gate['conditionType']));
  });
  const seen = new Set<string>();
  records(spec['schedulingGates']).forEach((gate, i) => {
    const name = text(gate['name']);
    checkQualifiedName(out, `${path}.schedulingGates[${i}]`, name);
    if (seen.has(name)) out.push(duplicate(`${path}.schedulingGates[${i}]`, name));
    seen.add(name);
  });
}

function checkHostNames(out: Errors, path: string, spec: Readonly<JsonObject>): void {
  if (spec['hostUsers'] === false) {
    for (const [key, shown] of [
      ['hostPID', 'HostPID'],
      ['hostIPC', 'HostIPC'],
    ] as const) {
      if (spec[key] === true) out.push(forbidden(`${path}.${shown}`, 'when `hostUsers` is false'));
    }
  }
  const override = spec['hostnameOverride'];
  if (typeof override === 'string') {
    const field = `${path}.hostnameOverride`;
    if (spec['setHostnameAsFQDN'] === true)
      out.push(forbidden(field, 'may not be specified when setHostnameAsFQDN is true'));
    if (spec['hostNetwork'] === true) out.push(forbidden(field, 'may not be specified when hostNetwork is true'));
    if (override.length > 64) out.push(tooLong(field, '', 64));
    checkSubdomain(out, field, override);
  }
}

function checkNamesAndNumbers(out: Errors, path: string, spec: Readonly<JsonObject>): void {
  for (const key of ['serviceAccountName', 'nodeName'])
    if (text(spec[key]) !== '') checkSubdomain(out, `${path}.${key}`, text(spec[key]));
  const deadline = integer(spec['activeDeadlineSeconds']);
  if (deadline !== undefined)
    checkText(out, `${path}.activeDeadlineSeconds`, deadline, rangeErrors(deadline, 1, 2147483647));
  for (const key of ['hostname', 'subdomain'])
    if (text(spec[key]) !== '') checkLabel(out, `${path}.${key}`, text(spec[key]));
  checkTolerations(out, `${path}.tolerations`, spec['tolerations']);
  records(spec['hostAliases']).forEach((alias, i) => {
    checkIP(out, `${path}.hostAliases[${i}].ip`, text(alias['ip']));
    texts(alias['hostnames']).forEach((name, j) =>
      checkSubdomain(out, `${path}.hostAliases[${i}].hostnames[${j}]`, name),
    );
  });
  if (text(spec['priorityClassName']) !== '')
    checkSubdomain(out, `${path}.priorityClassName`, text(spec['priorityClassName']));
  if (spec['runtimeClassName'] !== undefined)
    checkSubdomain(out, `${path}.runtimeClassName`, text(spec['runtimeClassName']));
  if (spec['preemptionPolicy'] !== undefined) {
    checkPolicy(out, `${path}.preemptionPolicy`, spec['preemptionPolicy'], ['PreemptLowerPriority', 'Never']);
  }
  if (record(spec['overhead'])) checkContainerResources(out, `${path}.overhead`, { limits: spec['overhead'] });
}

function checkFileKeyVolumes(out: Errors, path: string, spec: Readonly<JsonObject>): void {
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    records(spec[list]).forEach((container, i) => {
      records(container['env']).forEach((variable, j) => {
        const ref = record(fields(variable['valueFrom'])['fileKeyRef']);
        if (!ref) return;
        const name = text(ref['volumeName']);
        const field = `${path}.${list}[${i}].env[${j}].valueFrom.fileKeyRef.volumeName`;
        const volume = records(spec['volumes']).findLast((candidate) => text(candidate['name']) === name);
        if (!volume) out.push({ type: 'NotFound', field, badValue: name, detail: '' });
        else if (!record(volume['emptyDir']))
          out.push(invalid(field, name, 'referenced volume must be of type emptyDir'));
      });
    });
  }
}

/** A pod's spec; `pod` is the metadata of a pod, absent for templates. */
export function checkPodSpec(out: Errors, path: string, spec: Readonly<JsonObject>, pod: ObjectMeta | undefined): void {
  const isPod = pod !== undefined;
  const volumes = checkVolumes(out, `${path}.volumes`, spec['volumes'], pod, isPod);
  const claims = checkResourceClaims(out, `${path}.resourceClaims`, spec['resourceClaims']);
  const scope: PodScope = {
    volumes,
    claims,
    grace: integer(spec['terminationGracePeriodSeconds']),
    restartPolicy: text(spec['restartPolicy']),
    hostUsers: spec['hostUsers'] !== false,
  };
  checkContainers(out, `${path}.containers`, spec['containers'], scope);
  checkInitContainers(out, `${path}.initContainers`, spec['initContainers'], spec['containers'], scope);
  checkEphemeralContainers(out, `${path}.ephemeralContainers`, spec, scope);
  const resources = record(spec['resources']);
  if (resources) checkPodResources(out, `${path}.resources`, resources);
  checkHostNetwork(out, path, spec, isPod);
  checkPolicy(out, `${path}.restartPolicy`, spec['restartPolicy'], RESTART_POLICIES);
  checkPolicy(out, `${path}.dnsPolicy`, spec['dnsPolicy'], DNS_POLICIES);
  checkLabels(out, `${path}.nodeSelector`, spec['nodeSelector']);
  checkPodSecurity(out, `${path}.securityContext`, spec['securityContext'], spec);
  checkAffinity(out, `${path}.affinity`, spec['affinity']);
  checkDns(out, `${path}.dnsConfig`, spec);
  checkGates(out, path, spec);
  checkSpread(out, `${path}.topologySpreadConstraints`, spec['topologySpreadConstraints']);
  checkHostNames(out, path, spec);
  checkNamesAndNumbers(out, path, spec);
  checkOs(out, path, spec);
  checkFileKeyVolumes(out, path, spec);
}

/** Annotations that mean something on pods. */
export function checkPodAnnotations(out: Errors, path: string, annotations: unknown, spec: Readonly<JsonObject>): void {
  const map = textMap(annotations);
  const mirror = map['kubernetes.io/config.mirror'];
  if (mirror !== undefined && text(spec['nodeName']) === '') {
    out.push(
      invalid(`${path}[kubernetes.io/config.mirror]`, mirror, 'must set spec.nodeName if mirror pod annotation is set'),
    );
  }
  const cost = map['controller.kubernetes.io/pod-deletion-cost'];
  if (cost !== undefined && !isDeletionCost(cost)) {
    out.push(invalid(`${path}[controller.kubernetes.io/pod-deletion-cost]`, cost, 'must be a 32bit integer'));
  }
}

function isDeletionCost(value: string): boolean {
  return /^(0|-?[1-9][0-9]*)$/.test(value) && Math.abs(Number(value)) <= 2147483648 && Number(value) !== 2147483648;
}

/** A pod template; its path stops at the template, as `spec.template`. */
export function checkPodTemplate(out: Errors, path: string, template: unknown): void {
  const object = fields(template);
  const metadata = fields(object['metadata']);
  const spec = fields(object['spec']);
  checkLabels(out, `${path}.labels`, metadata['labels']);
  checkAnnotations(out, `${path}.annotations`, metadata['annotations']);
  checkPodAnnotations(out, `${path}.annotations`, metadata['annotations'], spec);
  checkPodSpec(out, `${path}.spec`, spec, undefined);
  if (records(spec['ephemeralContainers']).length > 0) {
    out.push(forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
  }
}
