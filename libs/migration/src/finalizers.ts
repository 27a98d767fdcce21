import type { KubeObject } from '@capstan/meta';

type Finalizers = KubeObject['metadata']['finalizers'];

/** The wanted finalizers that an object can have: one that is being deleted may only lose some. */
export function allowedFinalizers({ metadata }: KubeObject, wanted: Finalizers): Finalizers {
  if (metadata.deletionTimestamp == null) return wanted;
  return wanted?.filter((each) => metadata.finalizers?.includes(each) === true);
}
