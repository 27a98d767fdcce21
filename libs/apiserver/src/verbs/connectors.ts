import type { ApiResponse } from '@capstan/meta';
import type { BackendRequest } from './backend-request.js';

/** Where the kubelet of a node listens. */
export interface KubeletAddress {
  readonly node: string;
  readonly host: string;
  readonly port: number;
}

/** The way to kubelets, to whom it proves that it is this server. */
export interface NodeConnector {
  /** Rejects when no answer could be had. */
  ask(kubelet: KubeletAddress, request: BackendRequest): Promise<ApiResponse>;
}

/** A port of a pod. */
export interface PodAddress {
  readonly namespace: string;
  readonly pod: string;
  /** The node the pod runs on. */
  readonly node: string;
  readonly ip: string;
  readonly port: number;
  /** Whether it is spoken to over TLS. */
  readonly isSecure: boolean;
}

/** The way into the network of pods. */
export interface PodConnector {
  /** Rejects when no answer could be had. */
  ask(pod: PodAddress, request: BackendRequest): Promise<ApiResponse>;
}

/** The ways out of this server to what runs in the cluster. */
export interface Ways {
  /** How kubelets are reached: logs, exec, attach, port-forward and `nodes/proxy`. */
  readonly nodes?: NodeConnector;
  /** How pods are reached: `pods/proxy` and `services/proxy`. */
  readonly pods?: PodConnector;
}
