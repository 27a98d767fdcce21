import type { EventSubject } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

/** What an event about an object names. */
export function eventSubject({ apiVersion, kind, metadata }: KubeObject): EventSubject {
  const { name = '', namespace, uid = '' } = metadata;
  return { apiVersion, kind, name, uid, ...(namespace === undefined ? {} : { namespace }) };
}
