import { objectKey } from '@capstan/kube';
import type { Informer, InformerHandler } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

/** The events that handlers received, folded into a state; an event that does not fit is kept as well. */
export class Fold implements InformerHandler<KubeObject> {
  readonly versions = new Map<string, string | undefined>();
  readonly misfits: string[] = [];
  /** The number of events received. */
  events = 0;

  /** Folds the events of an informer. */
  static of(informer: Informer<KubeObject>): Fold {
    const fold = new Fold();
    informer.addHandler(fold);
    return fold;
  }

  add(object: KubeObject): void {
    this.events += 1;
    if (this.versions.has(objectKey(object))) this.misfits.push(`${objectKey(object)} added twice`);
    this.versions.set(objectKey(object), object.metadata.resourceVersion);
  }

  update(old: KubeObject, object: KubeObject): void {
    this.events += 1;
    if (this.versions.get(objectKey(object)) !== old.metadata.resourceVersion)
      this.misfits.push(`${objectKey(object)} updated from something else`);
    this.versions.set(objectKey(object), object.metadata.resourceVersion);
  }

  delete(object: KubeObject): void {
    this.events += 1;
    if (!this.versions.delete(objectKey(object))) this.misfits.push(`${objectKey(object)} deleted and not there`);
  }
}
