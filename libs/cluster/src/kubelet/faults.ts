import { parseDuration } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { matchesImage } from './program.js';

/** Things that go wrong with containers, pods and nodes. */
export type Fault =
  /** The container takes this long to start. */
  | { readonly kind: 'slow-start'; readonly delayMs: number }
  /** The program ends with this code (default 1) as soon as it is started, again and again. */
  | { readonly kind: 'crash-loop'; readonly exitCode?: number }
  /** The container runs but is never ready. */
  | { readonly kind: 'never-ready' }
  /** The image cannot be had. */
  | { readonly kind: 'image-pull' }
  /** The pod does not go away when it is deleted. */
  | { readonly kind: 'stuck-terminating' }
  /** The node is silent: no lease, no status, no reaction to deleted pods. */
  | { readonly kind: 'node-lost' };

/** What a fault strikes; every part given must match. Nothing given strikes everything. */
export interface FaultTarget {
  readonly namespace?: string | undefined;
  readonly pod?: string | undefined;
  /** As programs are registered: exact, without tag, or `prefix*`. */
  readonly image?: string | undefined;
  readonly node?: string | undefined;
}

/** Who may be struck. */
export interface FaultVictim {
  readonly node: string;
  readonly pod?: KubeObject | undefined;
  readonly image?: string | undefined;
  /** The Node, whose annotations count too. */
  readonly nodeObject?: KubeObject | undefined;
}

/** The annotation of a pod or node that makes things go wrong with it: `crash-loop`, `slow-start=30s,never-ready`, … */
export const FAULT_ANNOTATION = 'capstan.dev/fault';

type FaultOf<K extends Fault['kind']> = Extract<Fault, { readonly kind: K }>;

interface Armed {
  readonly fault: Fault;
  readonly target: FaultTarget;
}

/** The faults in force. */
export class Faults {
  readonly #armed = new Set<Armed>();
  readonly #listeners = new Set<() => void>();

  /** Puts a fault in force until the function it gives is called. */
  add(fault: Fault, target: FaultTarget = {}): () => void {
    const armed = { fault, target };
    this.#armed.add(armed);
    this.#changed();
    return () => {
      this.#armed.delete(armed);
      this.#changed();
    };
  }

  /** The fault of a kind that applies to a target. */
  find<K extends Fault['kind']>(kind: K, victim: FaultVictim): FaultOf<K> | undefined {
    const { nodeObject, pod } = victim;
    const written = kind === 'node-lost' ? nodeObject : pod;
    const annotation = written?.metadata.annotations?.[FAULT_ANNOTATION];
    if (annotation !== undefined)
      for (const fault of parseFaults(annotation)) if (fault.kind === kind) return fault as FaultOf<K>;
    for (const { fault, target } of this.#armed)
      if (fault.kind === kind && strikes(target, victim)) return fault as FaultOf<K>;
    return undefined;
  }

  /** Calls back when a fault comes or goes. Gives the function that ends it. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    // A copy: listeners may be removed while they are called.
    for (const listener of Array.from(this.#listeners)) listener();
  }
}

function strikes({ image, namespace, node, pod }: FaultTarget, victim: FaultVictim): boolean {
  if (node !== undefined && node !== victim.node) return false;
  if (namespace !== undefined && namespace !== victim.pod?.metadata.namespace) return false;
  if (pod !== undefined && pod !== victim.pod?.metadata.name) return false;
  return image === undefined || (victim.image !== undefined && matchesImage(image, victim.image));
}

const DEFAULT_SLOW_START_MS = 30_000;

/** Reads the annotation; what it cannot read it leaves out. */
function parseFaults(text: string): Fault[] {
  const faults: Fault[] = [];
  for (const part of text.split(',')) {
    const [kind = '', value = ''] = part.trim().split('=');
    if (kind === 'slow-start') faults.push({ kind, delayMs: durationMs(value) });
    else if (kind === 'crash-loop') faults.push({ kind, ...(/^\d+$/.test(value) ? { exitCode: Number(value) } : {}) });
    else if (kind === 'never-ready' || kind === 'image-pull' || kind === 'stuck-terminating' || kind === 'node-lost')
      faults.push({ kind });
  }
  return faults;
}

function durationMs(text: string): number {
  try {
    return text === '' ? DEFAULT_SLOW_START_MS : Number(parseDuration(text)) / 1e6;
  } catch {
    return DEFAULT_SLOW_START_MS;
  }
}
