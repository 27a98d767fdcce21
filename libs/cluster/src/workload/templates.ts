import { canonicalJson } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { controllerReference } from './claim.js';
import type { Pod, PodTemplate } from './resources.js';

/** The label that distinguishes the pods of one Deployment's ReplicaSets. */
export const TEMPLATE_HASH = 'pod-template-hash';

/** Without vowels and what looks like them, so that no word comes out. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A text of any value: null and absent are the same, as they are to the API. */
function templateText(template: PodTemplate): string {
  const { [TEMPLATE_HASH]: _, ...labels } = template.metadata?.labels ?? {};
  const plain = { ...template, metadata: { ...template.metadata, labels } };
  return canonicalJson(JSON.parse(JSON.stringify(plain, (_key, value: unknown) => value ?? undefined)) as unknown);
}

/** True of templates that make the same pods, whatever ReplicaSet they belong to. */
export function sameTemplate(a: PodTemplate, b: PodTemplate): boolean {
  return templateText(a) === templateText(b);
}

/** Names a template in a few letters; a count of collisions, when there were any, leads to another name. */
export function templateHash(template: PodTemplate, collisionCount = 0): string {
  const text = templateText(template) + (collisionCount === 0 ? '' : String(collisionCount));
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return safeText(String(hash));
}

/** Letters and digits that form no word, one per character. */
function safeText(text: string): string {
  return [...text].map((character) => ALPHABET[character.charCodeAt(0) % ALPHABET.length]).join('');
}

/** A pod as the template has it, controlled by the owner. */
export function podFromTemplate(owner: KubeObject, template: PodTemplate): Pod {
  const { labels = {}, annotations = {}, finalizers = [] } = template.metadata ?? {};
  const prefix = `${owner.metadata.name ?? ''}-`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: prefix,
      namespace: owner.metadata.namespace ?? '',
      labels,
      annotations,
      finalizers,
      ownerReferences: [controllerReference(owner)],
    },
    spec: { ...template.spec },
  };
}
