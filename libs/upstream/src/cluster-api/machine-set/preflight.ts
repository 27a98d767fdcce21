import type { KubeObject } from '@capstan/meta';
import { specVersion, statusVersion } from '../external/contract.js';
import { isDefined } from '../external/external-objects.js';
import { annotations } from '../names.js';
import type { ControllerContext } from '../controller-context.js';
import type { Cluster, MachineSet } from '../types.js';

/** How long a set that may not grow waits before it looks again. */
export const PREFLIGHT_RETRY_MS = 15_000;

interface Version {
  readonly minor: number;
  readonly text: string;
}

/** A version cannot be read. */
export class BadVersion extends Error {
  override readonly name = 'BadVersion';
}

function parse(version: string): Version {
  const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?(.*)$/.exec(version.trim());
  if (match === null) throw new BadVersion(`failed to parse version ${JSON.stringify(version)}`);
  const [, major = '', minor = '', patch = '0', rest = ''] = match;
  return { minor: Number(minor), text: `${Number(major)}.${Number(minor)}.${Number(patch)}${rest}` };
}

/** Which checks a set does without. */
export function skippedChecks({ metadata }: MachineSet): ReadonlySet<string> {
  const text = metadata.annotations?.[annotations.skipPreflightChecks] ?? '';
  return new Set(text === '' ? [] : text.split(',').map((each) => each.trim()));
}

const OLDEST_SKEW = 3;

/** Why a set may not grow under a control plane; empty when it may. */
export function preflightProblems(set: MachineSet, controlPlane: KubeObject): string[] {
  const skipped = skippedChecks(set);
  const version = specVersion(controlPlane);
  if (skipped.has('All') || version === undefined) return [];
  const { kind, metadata } = controlPlane;
  const where = `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  const problems: [check: string, problem: string | undefined][] = [
    ['ControlPlaneIsStable', stability(where, parse(version), statusVersion(controlPlane))],
  ];
  const own = set.spec.template.spec.version ?? '';
  if (own !== '')
    problems.push(
      ['KubernetesVersionSkew', skew(parse(own), parse(version))],
      ['KubeadmVersionSkew', kubeadmSkew(set, parse(own), parse(version))],
    );
  return problems.flatMap(([check, problem]) =>
    problem === undefined || skipped.has(check) ? [] : [`${problem} ("${check}" preflight check failed)`],
  );
}

function stability(where: string, wanted: Version, status: string | undefined): string | undefined {
  if (status === undefined || status === '') return `${where} is provisioning`;
  return parse(status).text === wanted.text ? undefined : `${where} is upgrading`;
}

function skew(own: Version, controlPlane: Version): string | undefined {
  const versions = `MachineSet version (${own.text}) and ControlPlane version (${controlPlane.text})`;
  const policy = 'do not conform to the kubernetes version skew policy as MachineSet version is';
  if (own.minor > controlPlane.minor) return `${versions} ${policy} higher than ControlPlane version`;
  if (own.minor >= controlPlane.minor - OLDEST_SKEW) return undefined;
  return `${versions} ${policy} more than ${OLDEST_SKEW} minor versions older than the ControlPlane version`;
}

function kubeadmSkew({ spec }: MachineSet, own: Version, controlPlane: Version): string | undefined {
  const { apiGroup, kind } = spec.template.spec.bootstrap?.configRef ?? {};
  const isKubeadm = kind === 'KubeadmConfigTemplate' && apiGroup === 'bootstrap.cluster.x-k8s.io';
  if (!isKubeadm || own.minor === controlPlane.minor) return undefined;
  return (
    `MachineSet version (${own.text}) and ControlPlane version (${controlPlane.text}) do not conform to kubeadm version ` +
    'skew policy as kubeadm only supports joining with the same major+minor version as the control plane'
  );
}

/** Another version of the control plane exists, or it has gone. */
export class MissingControlPlane extends Error {
  override readonly name = 'MissingControlPlane';
}

/** Why a set may not grow now. */
export async function runPreflight(
  { external }: ControllerContext,
  cluster: Cluster,
  set: MachineSet,
): Promise<string[]> {
  const reference = cluster.spec?.controlPlaneRef;
  if (!isDefined(reference) || skippedChecks(set).has('All')) return [];
  const { namespace = '' } = cluster.metadata;
  const controlPlane = await external.get(reference, namespace);
  if (controlPlane === undefined)
    throw new MissingControlPlane(`failed to get ControlPlane ${namespace}/${reference.name ?? ''}`);
  return preflightProblems(set, controlPlane.object);
}
