import type { MachineCapacity } from '@capstan/provider';

/** Memory for each processor in GiB, by the letter of a series: general purpose, memory, compute. */
const GIB_PER_CPU: Readonly<Record<string, number>> = { D: 4, E: 8, F: 2 };

/**
 * What a size of virtual machines offers, where its name determines it: series D, E and F keep their proportions, from version 3
 * on (F: 2), and say how many processors there are. Sizes with fewer of them (`E8-2s_v5`) keep the memory of the whole.
 */
export function capacityOf(vmSize: string): MachineCapacity | undefined {
  const [, series = '', whole = '', fewer, version = ''] =
    /^Standard_([DEF])(\d+)(?:-(\d+))?[a-z]*_v(\d+)$/.exec(vmSize) ?? [];
  const perCpu = GIB_PER_CPU[series];
  if (perCpu === undefined || Number(version) < (series === 'F' ? 2 : 3)) return undefined;
  return { cpus: Number(fewer ?? whole), memoryMiB: Number(whole) * perCpu * 1024 };
}
