import { Converger } from '@capstan/kube';
import { RECORD_ANNOTATION, withoutSidecar } from '@capstan/translate/sidecar';
import { DEPLOYMENTS } from '../../kinds.js';
import type { KubeObject } from '@capstan/meta';
import { usesClusterApi, withProxy } from '../proxy.js';
import type { ComponentScope } from '../scope.js';

interface Deployment extends KubeObject {
  readonly spec: { readonly template: Pick<KubeObject, 'metadata'> };
}

/**
 * Adds or removes the API proxy of a Deployment that otherwise stays as it is, because what it depends on is not there:
 * without it the component would use the wrong groups, for as long as that lasts.
 */
export async function convergeProxy(
  name: string,
  { client, inputs, objects, signal }: Pick<ComponentScope, 'client' | 'inputs' | 'objects' | 'signal'>,
): Promise<void> {
  const before = usesClusterApi(name) ? objects.snapshot.get<Deployment>(DEPLOYMENTS, name) : undefined;
  if (before === undefined || before.metadata.deletionTimestamp != null || !objects.owns(before)) return;
  const hasProxy = before.spec.template.metadata?.annotations?.[RECORD_ANNOTATION] !== undefined;
  if (hasProxy === (inputs.proxy !== undefined)) return;
  const after = hasProxy ? withoutSidecar(before) : withProxy(before, inputs.proxy);
  const written = await new Converger({ client, signal }).patch(DEPLOYMENTS, before, after);
  objects.snapshot.put(DEPLOYMENTS, written);
}
