/** Security contexts of pods and containers. */
import { duplicate, forbidden, invalid, notSupported, required, tooLong } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkEnum, checkOptionalEnum, checkText } from '../shared/checks.js';
import { fields, integer, record, records, text, texts } from '../shared/json.js';
import { rangeErrors } from '../shared/texts.js';
import { structText } from '../shared/internal.js';
import { checkDescendingPath } from './paths.js';

const MAX_ID = 2147483647;

function checkId(out: Errors, field: string, value: unknown): void {
  const id = integer(value);
  if (id !== undefined) checkText(out, field, id, rangeErrors(id, 0, MAX_ID));
}

const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** A seccomp profile. */
function checkSeccomp(out: Errors, path: string, value: unknown): void {
  const profile = record(value);
  if (!profile) return;
  const type = text(profile['type']);
  if (type === '') out.push(required(`${path}.type`, 'type is required when seccompProfile is set'));
  else if (!PROFILE_TYPES.includes(type)) out.push(notSupported(`${path}.type`, type, PROFILE_TYPES));
  const local = profile['localhostProfile'];
  if (type === 'Localhost') {
    if (local === undefined)
      out.push(required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost'));
    else checkDescendingPath(out, `${path}.localhostProfile`, text(local));
  } else if (local !== undefined) {
    out.push(invalid(`${path}.localhostProfile`, profile, 'can only be set when seccomp type is Localhost'));
  }
}

const MAX_PROFILE = 4095;

function checkAppArmor(out: Errors, path: string, value: unknown): void {
  const profile = record(value);
  if (!profile) return;
  const type = text(profile['type']);
  const local = profile['localhostProfile'];
  const field = `${path}.localhostProfile`;
  if (type === 'Localhost') {
    const name = text(local);
    if (name !== name.trim()) out.push(invalid(field, name, 'must not be padded with whitespace'));
    else if (name === '') out.push(required(field, 'must be set when AppArmor type is Localhost'));
    if (name.length > MAX_PROFILE) out.push(tooLong(field, '', MAX_PROFILE));
  } else if (type === '') out.push(required(`${path}.type`, 'type is required when appArmorProfile is set'));
  else if (!PROFILE_TYPES.includes(type)) out.push(notSupported(`${path}.type`, type, PROFILE_TYPES));
  else if (local !== undefined) out.push(invalid(field, local, 'can only be set when AppArmor type is Localhost'));
}

const CONTEXT_FIELDS = [
  'Capabilities',
  'Privileged',
  'SELinuxOptions',
  'WindowsOptions',
  'RunAsUser',
  'RunAsGroup',
  'RunAsNonRoot',
  'ReadOnlyRootFilesystem',
  'AllowPrivilegeEscalation',
  'ProcMount',
  'SeccompProfile',
  'AppArmorProfile',
];

function asStruct(context: JsonObject): unknown {
  const capabilities = record(context['capabilities']);
  const shown = CONTEXT_FIELDS.map((name) => {
    const key = name === 'SELinuxOptions' ? 'seLinuxOptions' : `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    return [name, context[key] ?? null] as const;
  });
  const fieldsShown: JsonObject = Object.fromEntries(shown);
  if (capabilities)
    fieldsShown['Capabilities'] = { Add: capabilities['add'] ?? null, Drop: capabilities['drop'] ?? null };
  return structText(fieldsShown);
}

/** The security context of a container. */
export function checkContainerSecurity(out: Errors, path: string, value: unknown, hostUsers: boolean): void {
  const context = record(value);
  if (!context) return;
  checkId(out, `${path}.runAsUser`, context['runAsUser']);
  checkId(out, `${path}.runAsGroup`, context['runAsGroup']);
  const procMount = context['procMount'];
  if (typeof procMount === 'string') {
    checkEnum(out, `${path}.procMount`, procMount, ['Default', 'Unmasked']);
    if (hostUsers && procMount === 'Unmasked')
      out.push(invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`'));
  }
  checkSeccomp(out, `${path}.seccompProfile`, context['seccompProfile']);
  if (context['allowPrivilegeEscalation'] === false) {
    if (context['privileged'] === true) {
      out.push(
        invalid(path, asStruct(context), 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'),
      );
    }
    if (texts(fields(context['capabilities'])['add']).includes('CAP_SYS_ADMIN')) {
      out.push(
        invalid(
          path,
          asStruct(context),
          'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
        ),
      );
    }
  }
  checkAppArmor(out, `${path}.appArmorProfile`, context['appArmorProfile']);
}

const SYSCTL_SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SYSCTL = `^(${SYSCTL_SEGMENT}[\\./])*${SYSCTL_SEGMENT}$`;
const SYSCTL_REGEX = new RegExp(SYSCTL);

// Whole-host sysctls of a shared namespace would change the node itself.
function hostSysctlComplaint(name: string, spec: Readonly<JsonObject>): string | undefined {
  const dotted = name.replaceAll('/', '.');
  if (spec['hostNetwork'] === true && dotted.startsWith('net.'))
    return "may not be specified when 'hostNetwork' is true";
  const ipc =
    /^(kernel\.(sem|shmall|shmmax|shmmni|shm_rmid_forced|msgmax|msgmnb|msgmni)$|kernel\.msg|kernel\.shm|fs\.mqueue\.)/.test(
      dotted,
    );
  return spec['hostIPC'] === true && ipc ? "may not be specified when 'hostIPC' is true" : undefined;
}

function checkSysctls(out: Errors, path: string, sysctls: unknown, spec: Readonly<JsonObject>): void {
  const seen = new Set<string>();
  records(sysctls).forEach((sysctl, i) => {
    const field = `${path}[${i}].name`;
    const name = text(sysctl['name']);
    if (name === '') out.push(required(field));
    else if (name.length > 253 || !SYSCTL_REGEX.test(name)) {
      out.push(invalid(field, name, `must have at most 253 characters and match regex ${SYSCTL}`));
    } else if (seen.has(name)) out.push(duplicate(field, name));
    const complaint = hostSysctlComplaint(name, spec);
    if (complaint !== undefined) out.push(invalid(field, name, complaint));
    seen.add(name);
  });
}

/** The security context of a pod. */
export function checkPodSecurity(out: Errors, path: string, value: unknown, spec: Readonly<JsonObject>): void {
  const context = record(value);
  if (!context) return;
  checkId(out, `${path}.fsGroup`, context['fsGroup']);
  checkId(out, `${path}.runAsUser`, context['runAsUser']);
  checkId(out, `${path}.runAsGroup`, context['runAsGroup']);
  const groups = context['supplementalGroups'];
  if (Array.isArray(groups)) groups.forEach((group, i) => checkId(out, `${path}.supplementalGroups[${i}]`, group));
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true) {
    out.push(
      invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled'),
    );
  }
  checkSysctls(out, `${path}.sysctls`, context['sysctls'], spec);
  checkOptionalEnum(out, `${path}.fsGroupChangePolicy`, context['fsGroupChangePolicy'], ['Always', 'OnRootMismatch']);
  checkSeccomp(out, `${path}.seccompProfile`, context['seccompProfile']);
  checkAppArmor(out, `${path}.appArmorProfile`, context['appArmorProfile']);
  checkOptionalEnum(out, `${path}.supplementalGroupsPolicy`, context['supplementalGroupsPolicy'], ['Merge', 'Strict']);
  checkOptionalEnum(out, `${path}.seLinuxChangePolicy`, context['seLinuxChangePolicy'], ['MountOption', 'Recursive']);
}

const WINDOWS_FORBIDDEN_POD = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
];
const WINDOWS_FORBIDDEN_SPEC = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'];
const WINDOWS_FORBIDDEN_CONTAINER = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

function forbid(
  out: Errors,
  path: string,
  object: Readonly<JsonObject>,
  keys: readonly string[],
  detail: string,
): void {
  for (const key of keys)
    if (object[key] !== undefined && object[key] !== null) out.push(forbidden(`${path}.${key}`, detail));
}

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

/** What a pod that declares its operating system may not say. */
export function checkOs(out: Errors, path: string, spec: Readonly<JsonObject>): void {
  const os = record(spec['os']);
  if (!os) return;
  const name = text(os['name']);
  if (name === '') out.push(required(`${path}.os.name`));
  else if (name !== 'linux' && name !== 'windows') out.push(notSupported(`${path}.os`, name, ['linux', 'windows']));
  const windows = name === 'windows';
  if (!windows && name !== 'linux') return;
  const detail = windows ? 'cannot be set for a windows pod' : 'windows options cannot be set for a linux pod';
  if (windows) forbid(out, path, spec, WINDOWS_FORBIDDEN_SPEC, detail);
  forbid(
    out,
    `${path}.securityContext`,
    fields(spec['securityContext']),
    windows ? WINDOWS_FORBIDDEN_POD : ['windowsOptions'],
    detail,
  );
  for (const list of CONTAINER_LISTS) {
    records(spec[list]).forEach((container, i) => {
      const at = `${path}.${list}[${i}].securityContext`;
      forbid(
        out,
        at,
        fields(container['securityContext']),
        windows ? WINDOWS_FORBIDDEN_CONTAINER : ['windowsOptions'],
        detail,
      );
    });
  }
}
