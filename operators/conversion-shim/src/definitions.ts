import { definitionNames } from '@capstan/convert/cluster-api';
import type { Informer, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { SOURCE_WEBHOOK_ANNOTATION } from '@capstan/translate/mirror';

/** CustomResourceDefinitions. */
export const DEFINITIONS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

type Texts = Readonly<Record<string, string>>;

/** What is known of CRDs: their metadata, which has no kind in it. */
export class Definitions {
  readonly #informer: Informer<KubeObject>;

  constructor(informer: Informer<KubeObject>) {
    this.#informer = informer;
  }

  get hasSynced(): boolean {
    return this.#informer.hasSynced;
  }

  whenSynced(): Promise<void> {
    return this.#informer.whenSynced();
  }

  /** By the name of a CRD. */
  readonly labelsOf = (name: string): Texts | undefined => this.#informer.store.get(name)?.metadata.labels;

  /** By the kind it defines. */
  readonly annotationsOf = (group: string, kind: string): Texts | undefined => {
    const found = this.#find(group, kind);
    return found === undefined ? undefined : (found.metadata.annotations ?? {});
  };

  /** Whether a kind has a CRD. */
  has(group: string, kind: string): boolean {
    return this.#find(group, kind) !== undefined;
  }

  #find(group: string, kind: string): KubeObject | undefined {
    for (const name of definitionNames(group, kind)) {
      const definition = this.#informer.store.get(name);
      if (definition !== undefined) return definition;
    }
    return undefined;
  }
}

/** Cuts the metadata of a CRD down to what is asked of it. */
export function cutDown(definition: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = definition;
  const { labels, name, resourceVersion, uid } = metadata;
  const webhook = metadata.annotations?.[SOURCE_WEBHOOK_ANNOTATION];
  return {
    apiVersion,
    kind,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(labels === undefined ? {} : { labels }),
      ...(webhook === undefined ? {} : { annotations: { [SOURCE_WEBHOOK_ANNOTATION]: webhook } }),
    },
  };
}
