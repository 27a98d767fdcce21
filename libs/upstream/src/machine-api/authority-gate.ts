import type { Client } from '@capstan/kube';
import { patchFrom, timestamp } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { decideAuthority } from './authority.js';
import { withCondition } from './conditions.js';
import { CONTROL_PLANE_MACHINE_SETS, CRDS } from './resources.js';
import type { Authored } from './resources.js';

/** How long a CRD is cached, and how long a failure to read it. */
const BELIEVED_MS = 60_000;
const FAILURE_BELIEVED_MS = 1000;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Definition extends KubeObject {
  readonly spec?: {
    readonly versions?: readonly { readonly name: string; readonly schema?: { readonly openAPIV3Schema?: Schema } }[];
  };
}

/** Whether a CRD knows who acts on its objects. */
export function servesAuthority({ spec }: Definition, version: string): boolean {
  const schema = spec?.versions?.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
  return schema?.properties?.['status']?.properties?.['authoritativeAPI'] !== undefined;
}

/** Knows for each kind whether its objects have authority fields, and stops a controller without authority. */
export class AuthorityGate {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #fixed: boolean | undefined;
  readonly #isIgnored: boolean;
  readonly #answers = new Map<string, { readonly answer: Promise<boolean>; until: number }>();

  /** `fixed` decides for all kinds, `ignored` as in a release that knows of no authority; without it their CRDs are read. */
  constructor(client: Client, clock: Clock, fixed?: boolean | 'ignored') {
    this.#client = client;
    this.#clock = clock;
    this.#isIgnored = fixed === 'ignored';
    this.#fixed = fixed === 'ignored' ? false : fixed;
  }

  /** Whether objects of the kind name who acts on them. */
  async isOn(kind: ResourceKind): Promise<boolean> {
    if (this.#fixed !== undefined) return this.#fixed;
    const now = this.#clock.monotonic();
    const known = this.#answers.get(kind.plural);
    if (known !== undefined && now < known.until) return known.answer;
    // Shared, failures too: many objects come up at once, and each would ask.
    const asked = { answer: this.#ask(kind), until: now + BELIEVED_MS };
    this.#answers.set(kind.plural, asked);
    asked.answer.catch(() => {
      asked.until = Math.min(asked.until, this.#clock.monotonic() + FAILURE_BELIEVED_MS);
    });
    return asked.answer;
  }

  /**
   * Whether the caller may act on the object now. If not, the condition for that is written, and the write enqueues
   * the object up again. Every write is locked: a handover between the look and the write makes it fail.
   */
  async permits<T extends Authored>(kind: ResourceKind, object: T): Promise<boolean> {
    if (this.#isIgnored) return true;
    const hasSeverity = kind.plural !== CONTROL_PLANE_MACHINE_SETS.plural;
    const decision = decideAuthority(object, await this.isOn(kind), { hasSeverity });
    switch (decision.act) {
      case 'go':
        return true;
      case 'keep-away':
        return false;
      case 'adopt':
        await this.#write(kind, object, { ...object.status, authoritativeAPI: decision.authority });
        return false;
      case 'pause':
      case 'unpause': {
        const { condition } = decision;
        const conditions = withCondition(object.status?.conditions, condition, timestamp(this.#clock));
        await this.#write(kind, object, { ...object.status, conditions });
        return false;
      }
    }
  }

  async #write(kind: ResourceKind, before: Authored, status: Authored['status']): Promise<void> {
    const after = { ...before, status } as Authored;
    await patchFrom(this.#client, kind, { before, after }, { subresource: 'status', optimisticLock: true });
  }

  async #ask(kind: ResourceKind): Promise<boolean> {
    try {
      const crd = await this.#client.get<Definition>(CRDS, `${kind.plural}.${kind.group}`);
      return servesAuthority(crd, kind.version);
    } catch (error) {
      // Served without a CRD of its own: by an aggregated server, which then has no such field.
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}
