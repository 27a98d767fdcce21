/**
 * Labels, annotations and taints for nodes. Machine API brings all of them to the node; Cluster API brings what the
 * flags and feature gates of its manager allow.
 */
import type { JsonObject } from '@capstan/meta';
import type { Path, Step } from '../engine/path.js';
import { getAt, isRecord, stepInto, stepToItem } from '../engine/path.js';
import type { Scope } from '../engine/rule.js';
import { addWarning } from '../engine/rule.js';
import type { MachineContext, MachineRule, NodePropagation } from './platform.js';

const LABELS_FLAG = '--additional-sync-machine-labels';
const ANNOTATIONS_FLAG = '--additional-sync-machine-annotations';
const TAINT_GATE = 'MachineTaintPropagation';

/** Label keys that Cluster API brings to nodes without any flag. */
const ALWAYS =
  /^node-role\.kubernetes\.io\/|^(?:[^/]+\.)?(?:node-restriction\.kubernetes\.io|node\.cluster\.x-k8s\.io)\//;

/** The values of a flag, which may be repeated and may have several, separated by commas. */
function valuesOf(args: readonly string[], flag: string): string[] {
  return args.flatMap((arg, at) => {
    if (arg === flag) return (args[at + 1] ?? '').split(',');
    return arg.startsWith(`${flag}=`) ? arg.slice(flag.length + 1).split(',') : [];
  });
}

/** What a manager of Cluster API with these arguments brings to nodes. */
export function nodePropagationOf(args: readonly string[]): NodePropagation {
  const filled = (flag: string): string[] => valuesOf(args, flag).filter((value) => value !== '');
  const gates = valuesOf(args, '--feature-gates').map((gate) => gate.trim().split('='));
  const last = gates.filter(([name]) => name === TAINT_GATE).at(-1);
  return {
    labels: filled(LABELS_FLAG),
    annotations: filled(ANNOTATIONS_FLAG),
    taints: /^(?:1|t|true)$/i.test(last?.[1] ?? ''),
  };
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** What the manager of Cluster API that a Deployment runs brings to nodes. */
export function nodePropagationOfManager(deployment: JsonObject): NodePropagation {
  const containers = getAt(deployment, ['spec', 'template', 'spec', 'containers']);
  const args = (Array.isArray(containers) ? containers : []).flatMap((container: unknown) =>
    isRecord(container) ? [...texts(container['command']), ...texts(container['args'])] : [],
  );
  return nodePropagationOf(args);
}

const compiled = new Map<string, RegExp | undefined>();

/** An expression of Go that JavaScript cannot read matches nothing: a warning too many does no harm. */
function expression(text: string): RegExp | undefined {
  if (!compiled.has(text)) {
    try {
      compiled.set(text, new RegExp(text));
    } catch {
      compiled.set(text, undefined);
    }
  }
  return compiled.get(text);
}

const isMatched = (key: string, expressions: readonly string[] = []): boolean =>
  expressions.some((each) => expression(each)?.test(key) === true);

function warnOfEntries(
  scope: Scope<MachineContext>,
  path: Path,
  isSynced: (key: string) => boolean,
  flag: string,
): void {
  const map = getAt(scope.source, path);
  if (!isRecord(map)) return;
  for (const key of Object.keys(map)) {
    if (isSynced(key)) continue;
    const at: Step = { before: stepInto(scope.at, path), kind: 'key', name: key };
    const message = `reaches no node in Cluster API unless ${flag} of its manager matches the key: add it there`;
    addWarning({ ...scope, at }, [], message, 'NotPropagated');
  }
}

function warnOfTaints(scope: Scope<MachineContext>, path: Path): void {
  const taints = getAt(scope.source, path);
  if (!Array.isArray(taints)) return;
  taints.forEach((taint: JsonObject | null, index) => {
    const at = stepToItem(scope.at, path, index);
    const key = isRecord(taint) && typeof taint['key'] === 'string' ? taint['key'] : '';
    const message = `with key "${key}" reaches no node in Cluster API before 1.12 or without its feature gate ${TAINT_GATE}: enable it`;
    addWarning({ ...scope, at }, [], message, 'NotPropagated');
  });
}

/** Warns of what would reach nodes by Machine API, and not by the Cluster API of the cluster. `spec` is of a machine. */
export function nodePropagationRule(spec: Path): MachineRule {
  const [labels, annotations] = [
    [...spec, 'metadata', 'labels'],
    [...spec, 'metadata', 'annotations'],
  ];
  return {
    claims: { left: [], right: [] },
    acts: (from, to) => from === 'left' && to === 'right',
    convert: (scope) => {
      if (scope.run.from !== 'left' || scope.run.to !== 'right') return;
      const { nodePropagation: known } = scope.run.context;
      warnOfEntries(scope, labels, (key) => ALWAYS.test(key) || isMatched(key, known?.labels), LABELS_FLAG);
      warnOfEntries(scope, annotations, (key) => isMatched(key, known?.annotations), ANNOTATIONS_FLAG);
      if (known?.taints !== true) warnOfTaints(scope, [...spec, 'taints']);
    },
  };
}
