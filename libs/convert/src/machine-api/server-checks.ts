/** What an API server or a webhook of Cluster API would refuse of a converted machine: it is refused before. */
import { goQuote } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Path } from '../engine/path.js';
import { getAt, isRecord, stepToItem } from '../engine/path.js';
import type { Scope } from '../engine/rule.js';
import { addError } from '../engine/rule.js';
import type { MachineContext, MachineRule } from './platform.js';

const MAX_HOOK_NAME = 63;
const HOOK_NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** Hooks are annotations in Cluster API, and their names the part of the keys behind the slash. */
export function hookNameProblem(name: string): string | undefined {
  if (name.includes('/'))
    return `is "${name}", which has a slash: Cluster API keeps hooks as annotations, whose keys may have one slash only`;
  if (name.length > MAX_HOOK_NAME)
    return `has ${name.length} characters: Cluster API keeps hooks as annotations, whose names may have ${MAX_HOOK_NAME}`;
  if (!HOOK_NAME.test(name))
    return `is ${goQuote(name)}: Cluster API keeps hooks as annotations, whose names are letters, digits, "-", "_" and "."`;
  return undefined;
}

const RESERVED_TAINTS = ['node.cluster.x-k8s.io/uninitialized', 'node.cluster.x-k8s.io/outdated-revision'];

/** Keys that the webhook of Cluster API refuses, as other components set them on nodes. */
function forbiddenTaint(key: string): string | undefined {
  const refused = `is ${goQuote(key)}, which Cluster API refuses for machines`;
  if (RESERVED_TAINTS.includes(key)) return `${refused}: its own controllers set it`;
  if (key.startsWith('node.kubernetes.io/') && key !== 'node.kubernetes.io/out-of-service')
    return `${refused}: the kubelet and the node controller set it`;
  if (key.startsWith('node.cloudprovider.kubernetes.io/')) return `${refused}: the cloud provider sets it`;
  if (key === 'node-role.kubernetes.io/master') return `${refused}: use node-role.kubernetes.io/control-plane`;
  return undefined;
}

function check(scope: Scope<MachineContext>, path: Path): void {
  const taints = getAt(scope.source, path);
  if (!Array.isArray(taints)) return;
  const seen = new Set<string>();
  taints.forEach((taint: unknown, index) => {
    if (!isRecord(taint)) return;
    const item = { ...scope, at: stepToItem(scope.at, path, index) };
    const { effect, key } = taint;
    const found = typeof key === 'string' ? forbiddenTaint(key) : undefined;
    if (found !== undefined) addError(item, ['key'], found, 'RefusedByServer');
    const pair = `${String(key)}:${String(effect)}`;
    if (seen.has(pair))
      addError(
        item,
        [],
        `has the key and effect of an earlier one (${pair}), which Cluster API refuses: remove one`,
        'RefusedByServer',
      );
    seen.add(pair);
  });
}

/** Taints of a machine of Machine API. */
export function taintChecks(path: Path): MachineRule {
  return {
    claims: { left: [], right: [] },
    acts: (from, to) => from === 'left' && to === 'right',
    convert: (scope) => {
      if (scope.run.from === 'left' && scope.run.to === 'right') check(scope, path);
    },
  };
}

const MAX_ANNOTATIONS_BYTES = 262_144;

/** Whether an API server would refuse the object for the size of its annotations, which includes preserved fields. */
export function annotationsProblem(object: JsonObject): string | undefined {
  const annotations = getAt(object, ['metadata', 'annotations']);
  if (!isRecord(annotations)) return undefined;
  let bytes = 0;
  for (const key of Object.keys(annotations)) {
    const value = annotations[key];
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  return bytes <= MAX_ANNOTATIONS_BYTES
    ? undefined
    : `would have ${bytes} bytes in the other API, with what is preserved there, and may have ${MAX_ANNOTATIONS_BYTES}: remove large ones`;
}
