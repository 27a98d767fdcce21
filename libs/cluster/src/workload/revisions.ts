import { compareBytes, ignoreNotFound, isAlreadyExists } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Client, Informer } from '@capstan/kube';
import { controllerReference } from './claim.js';
import { CONTROLLER_REVISIONS } from './resources.js';
import type { PodTemplate } from './resources.js';
import { controlledBy } from './shared-informers.js';
import { sameTemplate, templateHash } from './templates.js';

/** What names the template in the labels of a revision. */
export const REVISION_HASH = 'controller.kubernetes.io/hash';
const DEFAULT_LIMIT = 10;

export interface ControllerRevision extends KubeObject {
  data?: { spec?: { template?: PodTemplate & { $patch?: string } } };
  revision: number;
}

/** A workload whose templates are remembered. */
export interface Revised extends KubeObject {
  spec: { template: PodTemplate; revisionHistoryLimit?: number };
  status?: { collisionCount?: number };
}

/** The template a revision has kept. */
export function revisionTemplate(revision: ControllerRevision): PodTemplate {
  const { $patch: _, ...template } = revision.data?.spec?.template ?? {};
  return template;
}

function byRevision(a: ControllerRevision, b: ControllerRevision): number {
  return a.revision - b.revision || compareBytes(a.metadata.name ?? '', b.metadata.name ?? '');
}

function matchingRevision(owner: Revised, kept: readonly ControllerRevision[]): ControllerRevision | undefined {
  return kept.findLast((revision) => sameTemplate(revisionTemplate(revision), owner.spec.template));
}

function makeRevision(owner: Revised, revision: number): ControllerRevision {
  const hash = templateHash(owner.spec.template, owner.status?.collisionCount ?? 0);
  const { name = '', namespace = '' } = owner.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...owner.spec.template.metadata?.labels, [REVISION_HASH]: hash },
      ownerReferences: [controllerReference(owner)],
    },
    data: { spec: { template: { ...owner.spec.template, $patch: 'replace' } } },
    revision,
  };
}

/** Remembers the templates workloads had. */
export class RevisionHistory {
  readonly #client: Client;
  readonly #revisions: Informer<ControllerRevision>;

  constructor(client: Client, revisions: Informer<ControllerRevision>) {
    this.#client = client;
    this.#revisions = revisions;
  }

  /** The revisions of an owner, oldest first. */
  kept(owner: Revised): ControllerRevision[] {
    return controlledBy(this.#revisions, owner).sort(byRevision);
  }

  /** The revision of the template the owner has now. A name taken by another is reported to `collided`, and thrown. */
  async ensure(
    owner: Revised,
    kept: readonly ControllerRevision[],
    collided: (collisionCount: number) => Promise<unknown>,
  ): Promise<ControllerRevision> {
    const newest = kept.at(-1);
    const found = matchingRevision(owner, kept);
    const next = (newest?.revision ?? 0) + 1;
    if (found !== undefined) {
      if (found === newest) return found;
      // Back to an old template: it becomes the newest revision.
      return this.#client.update<ControllerRevision>(CONTROLLER_REVISIONS, { ...found, revision: next });
    }
    const wanted = makeRevision(owner, next);
    try {
      return await this.#client.create<ControllerRevision>(CONTROLLER_REVISIONS, wanted);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { name = '', namespace } = wanted.metadata;
      const existing = await this.#client.get<ControllerRevision>(CONTROLLER_REVISIONS, name, { namespace });
      if (matchingRevision(owner, [existing]) !== undefined) return existing;
      await collided((owner.status?.collisionCount ?? 0) + 1);
      throw error;
    }
  }

  /** Forgets the oldest of those nobody needs. */
  async cut(
    owner: Revised,
    kept: readonly ControllerRevision[],
    isLive: (revision: ControllerRevision) => boolean,
  ): Promise<void> {
    const old = kept.filter((revision) => !isLive(revision));
    const limit = owner.spec.revisionHistoryLimit ?? DEFAULT_LIMIT;
    for (const { metadata } of old.slice(0, Math.max(0, old.length - limit))) {
      const { name = '', namespace } = metadata;
      await this.#client.delete(CONTROLLER_REVISIONS, name, { namespace }).catch(ignoreNotFound);
    }
  }
}
