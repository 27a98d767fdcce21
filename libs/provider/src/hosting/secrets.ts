import type { KubeObject } from '@capstan/meta';
import { fieldAt } from './boot-images.js';

/** A Secret of these texts. */
export function opaqueSecret(namespace: string, name: string, texts: Readonly<Record<string, string>>): KubeObject {
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type: 'Opaque', data };
}

/** A Secret with the data of another; of some keys alone when they are named. */
export function copiedSecret(
  source: KubeObject,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  keys?: readonly string[],
): KubeObject {
  const all = { ...(source['data'] as Record<string, string> | undefined) };
  const kept = keys === undefined ? all : Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)));
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type: 'Opaque', data: kept };
}

/** A key of a Secret as text; undefined when it is not there. */
export function secretText(secret: KubeObject | undefined, key: string): string | undefined {
  const found = fieldAt(secret, 'data', key);
  return typeof found === 'string' ? Buffer.from(found, 'base64').toString('utf8') : undefined;
}
