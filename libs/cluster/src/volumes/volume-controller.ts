import { ignoreNotFound, isAlreadyExists, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { NAMESPACE_INDEX, objectKey } from '@capstan/kube';
import type { Informer, ResourceRef, WorkResult } from '@capstan/kube';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS, STORAGE_CLASSES } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import {
  CLAIM_PROTECTION,
  decideClaim,
  decidePhase,
  makeVolume,
  referenceTo,
  uses,
  VOLUME_PROTECTION,
} from './decide.js';
import type { StorageClass, Volume, VolumeClaim } from './decide.js';

const CLAIM = 'claim ';
const VOLUME = 'volume ';
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

/** Binds claims to volumes, made for them where none will do, and lets neither go while it is in use. */
export class VolumeController extends QueueController {
  readonly #claims: Informer<VolumeClaim>;
  readonly #volumes: Informer<Volume>;
  readonly #classes: Informer<StorageClass>;
  readonly #pods: Informer<Pod>;

  constructor(options: WorkloadOptions) {
    super(options, 'persistentvolume-controller');
    this.#claims = this.informers.of<VolumeClaim>(PERSISTENT_VOLUME_CLAIMS);
    this.#volumes = this.informers.of<Volume>(PERSISTENT_VOLUMES);
    this.#classes = this.informers.of<StorageClass>(STORAGE_CLASSES);
    this.#pods = this.informers.of<Pod>(PODS);
    const claimSeen = (claim: VolumeClaim): void => {
      if (this.manages(claim)) this.queue.add(CLAIM + objectKey(claim));
    };
    const claimGone = (claim: VolumeClaim): void => this.queue.add(VOLUME + (claim.spec?.volumeName ?? ''));
    this.#claims.addHandler({ add: claimSeen, update: (_, claim) => claimSeen(claim), delete: claimGone });
    const volumeSeen = (volume: Volume): void => this.#volumeSeen(volume);
    this.#volumes.addHandler({ add: volumeSeen, update: (_, volume) => volumeSeen(volume) });
    const podSeen = (pod: Pod): void => {
      for (const claim of this.#claims.store.byIndex(NAMESPACE_INDEX, pod.metadata.namespace ?? ''))
        if (this.#concerns(pod, claim)) claimSeen(claim);
    };
    this.#pods.addHandler({ add: podSeen, update: (_, pod) => podSeen(pod), delete: podSeen });
    this.#classes.addHandler({ add: () => [...this.#claims.store.list()].forEach(claimSeen) });
  }

  protected async sync(key: string): Promise<WorkResult> {
    if (key.startsWith(VOLUME)) await this.#syncVolume(key.slice(VOLUME.length));
    else await this.#syncClaim(key.slice(CLAIM.length));
    return 'done';
  }

  /** Pods that are over no longer use a claim, but may have kept it. */
  #concerns(pod: Pod, claim: VolumeClaim): boolean {
    return uses({ ...pod, status: {} }, claim);
  }

  #volumeSeen(volume: Volume): void {
    const { claimRef } = volume.spec ?? {};
    const where =
      claimRef?.namespace === undefined ? volume : { ...volume, metadata: { namespace: claimRef.namespace } };
    if (!this.manages(where)) return;
    this.queue.add(VOLUME + (volume.metadata.name ?? ''));
    // A pending claim may be waiting for a new volume.
    for (const claim of this.#claims.store.list())
      if (claim.status?.phase !== 'Bound' && this.manages(claim)) this.queue.add(CLAIM + objectKey(claim));
  }

  async #syncClaim(key: string): Promise<void> {
    const claim = this.#claims.store.get(key);
    if (claim === undefined) return;
    const { namespace = '' } = claim.metadata;
    const isUsed = [...this.#pods.store.byIndex(NAMESPACE_INDEX, namespace)].some((pod) => uses(pod, claim));
    if (claim.metadata.deletionTimestamp != null) {
      if (!isUsed) await this.#unprotect(PERSISTENT_VOLUME_CLAIMS, claim, CLAIM_PROTECTION);
      return;
    }
    if (claim.status?.phase === 'Bound') return;
    const volumes = [...this.#volumes.store.list()];
    const decision = decideClaim({ claim, volumes, isUsed, classOf: (name) => this.#classes.store.get(name) });
    if ('wait' in decision) this.record(claim, 'Normal', 'FailedBinding', decision.wait);
    else if ('bind' in decision) await this.#bind(claim, decision.bind);
    else await this.#bind(claim, await this.#provision(makeVolume(claim, decision.provision)));
  }

  async #provision(volume: Volume): Promise<Volume> {
    try {
      return await this.client.create<Volume>(PERSISTENT_VOLUMES, volume);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return this.client.get<Volume>(PERSISTENT_VOLUMES, volume.metadata.name ?? '');
    }
  }

  /** The volume first: of two claims that want it one gets a conflict. */
  async #bind(claim: VolumeClaim, volume: Volume): Promise<void> {
    const claimRef = referenceTo(claim);
    const held =
      volume.spec?.claimRef?.uid === claimRef.uid
        ? volume
        : await this.client.update<Volume>(PERSISTENT_VOLUMES, { ...volume, spec: { ...volume.spec, claimRef } });
    await this.#setPhase(held, 'Bound');
    const annotations = { ...claim.metadata.annotations, [BIND_COMPLETED]: 'yes' };
    const bound = await this.client.update<VolumeClaim>(PERSISTENT_VOLUME_CLAIMS, {
      ...claim,
      metadata: { ...claim.metadata, annotations },
      spec: { ...claim.spec, volumeName: held.metadata.name ?? '' },
    });
    const { accessModes = [], capacity = {} } = held.spec ?? {};
    const status = { ...bound.status, phase: 'Bound', accessModes, capacity };
    await this.client.update(PERSISTENT_VOLUME_CLAIMS, { ...bound, status }, { subresource: 'status' });
  }

  async #syncVolume(name: string): Promise<void> {
    const volume = this.#volumes.store.get(name);
    if (volume === undefined) return;
    const { name: claimName = '', namespace = '' } = volume.spec?.claimRef ?? {};
    const phase = decidePhase(volume, this.#claims.store.get(`${namespace}/${claimName}`));
    if (volume.metadata.deletionTimestamp != null) {
      if (phase !== 'Bound') await this.#unprotect(PERSISTENT_VOLUMES, volume, VOLUME_PROTECTION);
    } else if (phase !== 'Delete') await this.#setPhase(volume, phase);
    else if (await this.#isGone(namespace, claimName))
      await this.client.delete(PERSISTENT_VOLUMES, name).catch(ignoreNotFound);
  }

  /** Asked of the server: what is deleted because of it has no way back. */
  async #isGone(namespace: string, name: string): Promise<boolean> {
    try {
      await this.client.get(PERSISTENT_VOLUME_CLAIMS, name, { namespace });
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  }

  async #setPhase(volume: Volume, phase: string): Promise<void> {
    if (volume.status?.phase === phase) return;
    const status = { ...volume.status, phase };
    await this.client
      .update(PERSISTENT_VOLUMES, { ...volume, status }, { subresource: 'status' })
      .catch(ignoreNotFound);
  }

  async #unprotect(resource: ResourceRef, object: KubeObject, finalizer: string): Promise<void> {
    const { finalizers = [] } = object.metadata;
    if (!finalizers.includes(finalizer)) return;
    const left = finalizers.filter((each) => each !== finalizer);
    await this.client
      .update(resource, { ...object, metadata: { ...object.metadata, finalizers: left } })
      .catch(ignoreNotFound);
  }
}
