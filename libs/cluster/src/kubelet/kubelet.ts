import type { Duplex } from 'node:stream';
import { errorText, EventRecorder, objectKey, runWorkers, WorkQueue } from '@capstan/kube';
import type { Client, WorkResult } from '@capstan/kube';
import type { Controller } from '../controller.js';
import type { Service } from '../endpoints/addresses.js';
import type { PodInterface } from '../pod-network/pod-network.js';
import { specOf } from '../workload/pod-spec.js';
import { isFinished } from '../workload/pods.js';
import type { Pod } from '../workload/resources.js';
import { AddressPool } from './addresses.js';
import type { Faults } from './faults.js';
import { Heartbeat } from './heartbeat.js';
import type { ContainerHost, PodEvent } from './host.js';
import { capacityOf } from './node-object.js';
import type { NodeDescription } from './node-object.js';
import { PodStreams } from './node-streams.js';
import { nodeView } from './node-view.js';
import type { NodeView } from './node-view.js';
import { PodFeeds } from './objects.js';
import { PodRunner } from './pod-runner.js';
import type { PodRuntime } from './pod-runtime.js';
import { statusPatch } from './pod-status.js';
import { deleteEndedPod, writePodStatus } from './pod-writes.js';
import type { ContainerTarget, ExecCall, LogQuery, NodeStreams } from './streams.js';
import { PodVolumes } from './volumes.js';

/** Changes of a pod within this time are written together. */
const STATUS_BATCH_MS = 10;
/** Status writes under way at once. */
const WRITERS = 32;

/** A pod that runs here, as it was last seen. */
interface Resident {
  pod: Pod;
  readonly runner: PodRunner;
  readonly network: PodInterface;
  readonly feeds: PodFeeds;
  readonly ip: string;
  /** Its containers have ended and it has been asked to go. */
  over: boolean;
}

export interface KubeletOptions {
  /** Whether another component registers the node and renews its lease. Default false. */
  readonly isAnnounced?: boolean | undefined;
  /**
   * Asks with the credentials of the node, and so for what is the node's alone. Default: what all nodes of the process
   * share, which must be allowed to read every pod, and what they name.
   */
  readonly client?: Client | undefined;
}

/** One node: runs the pods bound to it as programs of this process, and reports their status. */
export class Kubelet implements Controller, NodeStreams {
  readonly name: string;
  readonly #runtime: PodRuntime;
  readonly #view: NodeView;
  readonly #description: NodeDescription;
  readonly #residents = new Map<string, Resident>();
  /** Pods to go that never ran here, or ran before this kubelet did, by uid. */
  readonly #strays = new Map<string, Pod>();
  readonly #addresses: AddressPool;
  readonly #queue: WorkQueue<string>;
  readonly #recorder: EventRecorder;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #streams: PodStreams;
  #wasLost = false;
  #stopped: Promise<void> = Promise.resolve();

  /** Must be made before the informers of the runtime are started. */
  constructor(runtime: PodRuntime, description: NodeDescription, options: KubeletOptions = {}) {
    const { clock, logger, network } = runtime;
    this.name = description.name;
    this.#runtime = runtime;
    this.#description = description;
    this.#view = nodeView(runtime, this.name, options.client);
    const { client } = this.#view;
    this.#addresses = new AddressPool(description.podCidr);
    this.#queue = new WorkQueue({ clock, maxDelayMs: 60_000 });
    const random = runtime.random.split(`events of ${this.name}`);
    this.#recorder = new EventRecorder({ client, clock, logger, random, component: 'kubelet', host: this.name });
    // No node may take taints off itself; the controllers of the cluster do.
    const leavesTaint = options.client !== undefined;
    const beat = { client, clock, logger, description, isLost: () => this.isLost(), leavesTaint };
    this.#heartbeat = options.isAnnounced === true ? undefined : new Heartbeat(beat);
    this.#streams = new PodStreams(network, (namespace, name) => this.#named(namespace, name));
  }

  /** The faults in force, here and on the other nodes of this process. */
  get faults(): Faults {
    return this.#runtime.faults;
  }

  /** Registers the node and takes up its pods. Runs until the signal aborts, which ends its programs at once. */
  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { informers, logger } = this.#runtime;
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.all([informers.start(signal), this.#view.informers.start(signal), this.#heartbeat?.join(signal)]);
    const handle = (uid: string): Promise<WorkResult> => this.#report(uid);
    const work = runWorkers({ queue: this.#queue, workers: WRITERS, logger, describe: (uid) => uid, handle });
    const ends = [
      this.#view.pods.addHandler({
        add: (pod) => this.#podChanged(pod),
        update: (_, pod) => this.#podChanged(pod),
        delete: (pod) => this.#podGone(pod),
      }).remove,
      this.#view.nodes.addHandler({
        update: (_, node) => {
          if (node.metadata.name === this.name) this.#faultsChanged();
        },
      }).remove,
      this.faults.watch(() => this.#faultsChanged()),
    ];
    const beating = this.#heartbeat?.run(signal);
    this.#stopped = aborted.then(async () => {
      for (const end of ends) end();
      this.#queue.shutDown();
      await Promise.all([...this.#residents.values()].map((resident) => this.#evict(resident)));
      await Promise.all([
        work,
        beating,
        this.#view.informers.stopped(),
        informers.stopped(),
        this.#view.feeds.stopped(),
      ]);
      await this.#recorder.close();
    });
  }

  /** Resolves when, after the signal, the last work has ended. */
  stopped(): Promise<void> {
    return this.#stopped;
  }

  logs(target: ContainerTarget, query: LogQuery, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return this.#streams.logs(target, query, signal);
  }

  exec(target: ContainerTarget, call: ExecCall): Promise<number> {
    return this.#streams.exec(target, call);
  }

  attach(target: ContainerTarget, call: ExecCall): Promise<number> {
    return this.#streams.attach(target, call);
  }

  dial(namespace: string, pod: string, port: number): Promise<Duplex> {
    return this.#streams.dial(namespace, pod, port);
  }

  #podChanged(pod: Pod): void {
    const { deletionTimestamp, namespace = '', uid = '' } = pod.metadata;
    if (pod.spec?.nodeName !== this.name || !this.#runtime.namespaces(namespace) || this.isLost()) return;
    const resident = this.#residents.get(uid);
    if (resident !== undefined) {
      if (!isNewer(pod, resident.pod)) return;
      resident.pod = pod;
      resident.runner.update();
    } else if (deletionTimestamp != null) {
      this.#strays.set(uid, pod);
      this.#queue.add(uid);
    } else if (!isFinished(pod)) this.#takeIn(pod);
  }

  /** Nothing is left of it on the server, so nothing is reported any more. */
  #podGone(pod: Pod): void {
    this.#strays.delete(pod.metadata.uid ?? '');
    const resident = this.#residents.get(pod.metadata.uid ?? '');
    if (resident === undefined || this.isLost()) return;
    if (resident.over) void this.#evict(resident);
    else void resident.runner.terminate(this.#runtime.clock.now());
  }

  #takeIn(pod: Pod): void {
    const { clock, claims, network } = this.#runtime;
    const { namespace = '', uid = '' } = pod.metadata;
    const isOnHost = specOf(pod).hostNetwork === true;
    const ip = isOnHost ? this.#description.ip : this.#addresses.take();
    const current = (): Pod => this.#residents.get(uid)?.pod ?? pod;
    const place = { podIp: ip, hostIp: this.#description.ip, allocatable: capacityOf(this.#description) };
    const feeds = new PodFeeds(this.#view.feeds, namespace);
    const volumes = new PodVolumes({ client: this.#view.client, clock, feeds, claims, pod: current, place });
    const attached = network.attach(ip, namespace);
    const host: ContainerHost = {
      clock,
      random: this.#runtime.random,
      logger: this.#runtime.logger,
      programs: this.#runtime.programs,
      faults: this.#runtime.faults,
      isolation: this.#runtime.isolation,
      nodeName: this.name,
      network: attached,
      place,
      feeds,
      volumes,
      pod: current,
      services: () => this.#servicesFor(current()),
      record: (event) => this.#record(current(), event),
      changed: () => this.#queue.addAfter(uid, STATUS_BATCH_MS),
    };
    const gone = (): void => {
      const resident = this.#residents.get(uid);
      if (resident === undefined) return;
      resident.over = true;
      this.#queue.add(uid);
    };
    const runner = new PodRunner({ host, hostIp: this.#description.ip, gone });
    this.#residents.set(uid, { pod, runner, network: attached, feeds, ip, over: false });
    host.changed();
  }

  /** Writes what has changed of a pod; when it is over, also that it may go. */
  async #report(uid: string): Promise<WorkResult> {
    if (this.isLost()) return 'done';
    const stray = this.#strays.get(uid);
    if (stray !== undefined) await deleteEndedPod(this.#view.client, stray);
    this.#strays.delete(uid);
    const resident = this.#residents.get(uid);
    if (resident === undefined) return 'done';
    await this.#writeStatus(resident);
    if (resident.over) {
      await deleteEndedPod(this.#view.client, resident.pod);
      await this.#evict(resident);
    }
    return 'done';
  }

  async #writeStatus(resident: Resident): Promise<void> {
    const status = statusPatch(resident.pod.status, resident.runner.status());
    if (status === undefined) return;
    const written = await writePodStatus(this.#view.client, resident.pod, status);
    if (written === undefined || !isNewer(written, resident.pod)) return;
    resident.pod = written;
    // The response may be the first with the deletion timestamp, and then the watch brings nothing new.
    resident.runner.update();
  }

  /** Takes a pod off the node, whatever state it is in. */
  async #evict(resident: Resident): Promise<void> {
    if (!this.#residents.delete(resident.runner.uid)) return;
    resident.runner.kill();
    resident.feeds.close();
    await resident.network.detach();
    if (resident.ip !== this.#description.ip) this.#addresses.giveBack(resident.ip);
  }

  #faultsChanged(): void {
    const wasLost = this.#wasLost;
    this.#wasLost = this.isLost();
    if (wasLost && !this.#wasLost) this.#comeBack();
    for (const uid of this.#residents.keys()) this.#queue.addAfter(uid, STATUS_BATCH_MS);
  }

  /** Catches up with what was missed while the node was lost. */
  #comeBack(): void {
    const failed = (error: unknown): void =>
      this.#runtime.logger.warn('node did not recover', { error: errorText(error) });
    void this.#heartbeat?.recover().catch(failed);
    for (const resident of this.#residents.values())
      if (this.#view.pods.store.get(objectKey(resident.pod))?.metadata.uid !== resident.runner.uid)
        this.#podGone(resident.pod);
    for (const pod of this.#view.pods.store.list()) this.#podChanged(pod);
  }

  /** Whether the node is to be silent. */
  isLost(): boolean {
    return (
      this.faults.find('node-lost', { node: this.name, nodeObject: this.#view.nodes.store.get(this.name) }) !==
      undefined
    );
  }

  #servicesFor(pod: Pod): Service[] {
    const { directory } = this.#runtime.network;
    const kubernetes = directory.service('default', 'kubernetes');
    const own = specOf(pod).enableServiceLinks === false ? [] : directory.inNamespace(pod.metadata.namespace ?? '');
    return kubernetes === undefined || own.includes(kubernetes) ? own : [kubernetes, ...own];
  }

  #named(namespace: string, name: string): Resident | undefined {
    const uid = this.#view.pods.store.get(`${namespace}/${name}`)?.metadata.uid;
    return uid === undefined ? undefined : this.#residents.get(uid);
  }

  #record(pod: Pod, { fieldPath, message, reason, type }: PodEvent): void {
    if (this.isLost()) return;
    const { name = '', namespace, uid = '' } = pod.metadata;
    const subject = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, fieldPath };
    this.#recorder.record(subject, { type, reason, message });
  }
}

/** True of a later state of the same pod. Revisions are numbers that grow. */
function isNewer(a: Pod, b: Pod): boolean {
  return Number(a.metadata.resourceVersion) > Number(b.metadata.resourceVersion);
}
