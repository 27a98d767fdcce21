import type { KubeObject } from '@capstan/meta';
import type { EventSubject } from './recorder.js';

/** What an event about an object names. */
export function eventSubject({ apiVersion, kind, metadata }: KubeObject): EventSubject {
  const { name = '', namespace, uid = '' } = metadata;
  return { apiVersion, kind, name, uid, ...(namespace === undefined ? {} : { namespace }) };
}
