import { parseJson, stringifyJson } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { embeddedObject, fieldsOf, JsonRewriter } from '@capstan/translate';
import type { GroupMapping } from '@capstan/translate';

/**
 * The object under the other names of its groups: what the proxy would store for a client that writes it. Swapping twice is
 * the identity, so one function moves objects both ways.
 */
export function swapObject(object: KubeObject, mapping: GroupMapping): KubeObject {
  const rewriter = new JsonRewriter(embeddedObject(fieldsOf(mapping)));
  const chunks = [...rewriter.push(Buffer.from(stringifyJson(object))), ...rewriter.end()];
  return parseJson(Buffer.concat(chunks)).value as KubeObject;
}
