import type { Duplex } from 'node:stream';

/** Where the kubelet of a node listens. */
export interface KubeletAddress {
  readonly node: string;
  readonly host: string;
  readonly port: number;
}

/** The way to kubelets: a connection that is ready for HTTP, authenticated as this server. */
export interface NodeConnector {
  dial(kubelet: KubeletAddress): Promise<Duplex>;
}

/** A port of a pod. */
export interface PodAddress {
  readonly namespace: string;
  readonly pod: string;
  /** The node the pod runs on. */
  readonly node: string;
  readonly ip: string;
  readonly port: number;
}

/** The way into the network of pods. */
export interface PodDialer {
  dial(pod: PodAddress): Promise<Duplex>;
}

/** The ways out of this server to what runs in the cluster. */
export interface Ways {
  /** How kubelets are reached: logs, exec, attach, port-forward and `nodes/proxy`. */
  readonly nodes?: NodeConnector;
  /** How pods are reached: `pods/proxy` and `services/proxy`. */
  readonly pods?: PodDialer;
}
