import type { KubeObject } from '@capstan/meta';

/** On a Secret whose keys were lost and regenerated: since when. The administrator who has dealt with that removes it. */
export const KEYS_REGENERATED_ANNOTATION = 'capstan.dev/keys-regenerated';

/**
 * Secrets that cannot be recreated, as this process saw them last: a deleted one is restored as it was. Nothing is
 * written anywhere for that, and nothing is held that the cache does not hold anyway. A process that starts after the loss knows
 * nothing: then new keys are created, and the Secret is annotated.
 */
export class KeptKeys {
  readonly #seen = new Map<string, { readonly uid: string; readonly secrets: Map<string, KubeObject> }>();

  /** Keys of one control plane; another of the same name has its own. */
  of(owner: string, uid: string): Map<string, KubeObject> {
    const known = this.#seen.get(owner);
    if (known?.uid === uid) return known.secrets;
    const secrets = new Map<string, KubeObject>();
    this.#seen.set(owner, { uid, secrets });
    return secrets;
  }

  forget(owner: string): void {
    this.#seen.delete(owner);
  }
}

/** Which of some Secrets were regenerated, and nobody has dealt with it. */
export function regeneratedSecrets(secrets: readonly (KubeObject | undefined)[]): readonly string[] {
  return secrets.flatMap((secret) =>
    secret?.metadata.annotations?.[KEYS_REGENERATED_ANNOTATION] === undefined ? [] : [secret.metadata.name ?? ''],
  );
}
