import { SidecarError } from './errors.js';
import { unsetFlag } from './flags.js';
import type { Container, List, Named, PodSpec, PodTemplate, VolumeMount } from './pod.js';
import { allContainers, annotationsOf } from './pod.js';
import type { ContainerRecord, SidecarRecord } from './record.js';
import { readRecord, RECORD_ANNOTATION, restored, withList } from './record.js';
import { KUBECONFIG_ANNOTATION, SIDECAR_KUBECONFIG, SIDECAR_NAME, SIDECAR_VOLUMES } from './sidecar.js';

/**
 * A pod template as it was before {@link addSidecar}, to the byte; what others have changed since stays changed. A
 * template without a proxy is given back itself. Throws for a proxy that was added by other means.
 */
export function removeSidecar<T extends PodTemplate>(template: T): T {
  const record = readRecord(template);
  if (record === undefined) {
    refuseUnrecorded(template);
    return template;
  }
  return { ...withoutAnnotations(template, record), spec: withoutProxy(template.spec, record) };
}

function refuseUnrecorded({ spec }: PodTemplate): void {
  if (allContainers(spec).some(({ name }) => name === SIDECAR_NAME))
    throw new SidecarError(
      'not-recorded',
      `container ${SIDECAR_NAME} is not recorded in annotation ${RECORD_ANNOTATION}: remove it by hand first`,
    );
}

function withoutAnnotations<T extends PodTemplate>(template: T, { blanks }: SidecarRecord): T {
  const { [RECORD_ANNOTATION]: _, [KUBECONFIG_ANNOTATION]: __, ...kept } = annotationsOf(template);
  const isEmpty = Object.keys(kept).length === 0;
  const annotations = isEmpty && blanks.annotations !== undefined ? blankValue(blanks.annotations) : kept;
  const metadata = restored(template.metadata ?? {}, 'annotations', annotations);
  const isBare = Object.keys(metadata).length === 0 && blanks.metadata !== undefined;
  return restored(template, 'metadata', isBare ? blankValue(blanks.metadata) : metadata);
}

const blankValue = (blank: 'absent' | 'null' | undefined): null | undefined => (blank === 'null' ? null : undefined);

function withoutProxy(spec: PodSpec, { blanks, containers }: SidecarRecord): PodSpec {
  const back = (list: List<Container>): List<Container> => {
    const others = list?.filter(({ name }) => name !== SIDECAR_NAME);
    return others?.map((each) => withoutAccess(each, containers[each.name]));
  };
  const volumes = spec.volumes?.filter(isNotOurs);
  return withList(
    withList(
      { ...spec, containers: back(spec.containers) ?? [] },
      'initContainers',
      back(spec.initContainers) ?? spec.initContainers,
      blanks.initContainers,
    ),
    'volumes',
    volumes ?? spec.volumes,
    blanks.volumes,
  );
}

const isNotOurs = ({ name }: Named): boolean => !SIDECAR_VOLUMES.has(name);

function withoutAccess(container: Container, record: ContainerRecord | undefined): Container {
  if (record === undefined) return container;
  const { blanks, env, flags } = record;
  let seen = 0;
  const variables = container.env?.flatMap((each) => {
    if (each.name !== 'KUBECONFIG') return [each];
    const earlier = env[seen++];
    if (each.value !== SIDECAR_KUBECONFIG) return [each];
    return earlier === undefined ? [] : [earlier];
  });
  const mounts: List<VolumeMount> = container.volumeMounts?.filter(isNotOurs);
  let args: List<string> = container.args;
  for (const [flag, earlier] of Object.entries(flags))
    args = args && unsetFlag(args, { flag, value: SIDECAR_KUBECONFIG, earlier });
  return withList(
    withList(
      withList(container, 'env', variables ?? container.env, blanks.env),
      'volumeMounts',
      mounts ?? container.volumeMounts,
      blanks.volumeMounts,
    ),
    'args',
    args,
    blanks.args,
  );
}
