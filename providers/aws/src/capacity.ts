import { lookUp } from '@capstan/meta';
import type { MachineCapacity } from '@capstan/provider';

/** Memory for each processor in GiB, by the letter of a family: compute, general purpose, memory. */
const GIB_PER_CPU: Readonly<Record<string, number>> = { c: 2, m: 4, r: 8 };

/** Processors of a size: `large`, `xlarge`, `4xlarge`. */
function cpusOf(size: string): number | undefined {
  const [, times] = /^(\d*)xlarge$/.exec(size) ?? [];
  if (times !== undefined) return 4 * Number(times === '' ? 1 : times);
  return { medium: 1, large: 2 }[size];
}

/**
 * What an instance type offers, where its name determines it: the families of EC2 for compute, general purpose and memory keep
 * their proportions in every generation. Others do not, and neither does bare metal.
 */
export function capacityOf(instanceType: string): MachineCapacity | undefined {
  const [, family = '', size = ''] = /^([cmr])\d+[a-z]*\.(\w+)$/.exec(instanceType) ?? [];
  const cpus = cpusOf(size);
  const perCpu = lookUp(GIB_PER_CPU, family);
  return cpus === undefined || perCpu === undefined ? undefined : { cpus, memoryMiB: cpus * perCpu * 1024 };
}
