import { CLUSTER_ANNOTATION, MACHINE_TEMPLATE_SPEC_ANNOTATION, NODE_POOL_ANNOTATION } from '@capstan/hosting';
import type { Change, ResourceKind } from '@capstan/kube';
import { includesDesired, objectKey } from '@capstan/kube';
import { canonicalJson, hashText } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { MachineTemplate, NodePoolInputs, Problem } from '@capstan/provider';
import type { Snapshot } from '../snapshot.js';
import { templateName } from '../names.js';

/** Owns the fields of applied templates. */
const FIELD_OWNER = 'hypershift-operator';

/** The template of the machines of a pool, or what is wrong with its settings. */
export type TemplateOutcome = Templated | { readonly problems: readonly string[] };

/** A template, and where it comes from. */
export interface Templated {
  readonly object: KubeObject;
  readonly template: MachineTemplate;
}

/** The inputs of a platform for a NodePool; undefined as long as one is missing. */
export function inputsOf({
  controlPlane,
  controlPlaneNamespace,
  hostedCluster,
  nodePool,
  release,
}: Snapshot): NodePoolInputs | undefined {
  const infraID = hostedCluster.spec.infraID ?? '';
  if ('error' in release || infraID === '') return undefined;
  return { nodePool, hostedCluster, controlPlane, controlPlaneNamespace, infraID, release: release.payload };
}

/** Asks the platform for the template. */
export function desiredTemplate(template: MachineTemplate, inputs: NodePoolInputs, key: string): TemplateOutcome {
  const spec = template.spec(inputs);
  if (isProblems(spec)) return { problems: spec.map(({ message, path }) => `${path}: ${message}`) };
  const { group, kind, version } = template.kind;
  const annotations = {
    [NODE_POOL_ANNOTATION]: key,
    [MACHINE_TEMPLATE_SPEC_ANNOTATION]: hashText(canonicalJson(spec)),
  };
  const name = templateName(inputs.nodePool.metadata.name ?? '', template.named?.(spec) ?? spec);
  return {
    template,
    object: {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name, namespace: inputs.controlPlaneNamespace, annotations },
      spec,
    },
  };
}

function isProblems(spec: JsonObject | readonly Problem[]): spec is readonly Problem[] {
  return Array.isArray(spec);
}

/**
 * Creates the objects that the template names and that do not exist yet. NodePools of a cluster share them, so none
 * changes or deletes one: they are deleted with the control plane.
 */
export function companionChanges(
  { hostedCluster, existing, platform }: Snapshot,
  inputs: NodePoolInputs,
): readonly Change[] {
  const wanted = platform?.machineTemplate?.companions?.(inputs) ?? [];
  const isThere = (object: KubeObject): boolean =>
    existing.companions.some(({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name);
  return wanted
    .filter((object) => !isThere(object))
    .flatMap((object) => {
      const kind = platform?.companionKinds?.find((each) => each.kind === object.kind);
      const annotations = { ...object.metadata.annotations, [CLUSTER_ANNOTATION]: objectKey(hostedCluster) };
      const marked = { ...object, metadata: { ...object.metadata, annotations } };
      return kind === undefined ? [] : [{ verb: 'create' as const, kind, object: marked }];
    });
}

/** Writes the template when it is not there, or not like this. */
export function templateChanges({ object, template }: Templated, existing: readonly KubeObject[]): readonly Change[] {
  const before = existing.find(({ metadata }) => metadata.name === object.metadata.name);
  const { annotations } = object.metadata;
  const isThere =
    before !== undefined &&
    includesDesired(before.metadata.annotations, annotations) &&
    includesDesired(before['spec'], object['spec']);
  return isThere ? [] : [{ verb: 'apply', kind: template.kind, object, fieldOwner: FIELD_OWNER }];
}

/** Deletes templates that no set of machines of the pool refers to any more. */
export function collectTemplates(
  { key, existing }: Snapshot,
  { kind, name: target }: { readonly kind: ResourceKind; readonly name: string },
): readonly Change[] {
  const sets = [existing.machineDeployment, existing.machineSet, ...existing.machineSets];
  const used = new Set([target, ...sets.map((set) => set?.spec?.template.spec.infrastructureRef.name)]);
  return existing.templates
    .filter(({ metadata: { annotations, name } }) => annotations?.[NODE_POOL_ANNOTATION] === key && !used.has(name))
    .map((object) => ({ verb: 'delete', kind, object }));
}
