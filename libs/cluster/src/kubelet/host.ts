import type { Clock, Random } from '@capstan/meta';
import type { Logger } from '@capstan/kube';
import type { Service } from '../endpoints/addresses.js';
import type { PodInterface } from '../pod-network/pod-network.js';
import type { Pod } from '../workload/resources.js';
import type { PodPlace } from './downward.js';
import type { Faults } from './faults.js';
import type { ContainerIsolation } from './isolation.js';
import type { PodFeeds } from './objects.js';
import type { ProgramRegistry } from './program.js';
import type { PodVolumes } from './volumes.js';

/** An event about a container, or about the pod when no container is named. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** `spec.containers{main}` */
  readonly fieldPath?: string | undefined;
}

/** What a pod gives its containers. */
export interface ContainerHost {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly programs: ProgramRegistry;
  readonly faults: Faults;
  /** Absent: an error that a program does not catch ends the process. */
  readonly isolation?: ContainerIsolation | undefined;
  readonly nodeName: string;
  readonly network: PodInterface;
  readonly place: PodPlace;
  readonly feeds: PodFeeds;
  readonly volumes: PodVolumes;
  /** The pod as it is now. */
  readonly pod: () => Pod;
  readonly services: () => readonly Service[];
  readonly record: (event: PodEvent) => void;
  /** The status of the pod has to be written. */
  readonly changed: () => void;
}
