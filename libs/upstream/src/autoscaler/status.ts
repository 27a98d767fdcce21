import type { NodeGroup } from './node-groups.js';

/** The status of one group. */
export interface GroupReport {
  readonly group: NodeGroup;
  readonly ready: number;
  readonly registered: number;
  readonly upcoming: number;
  readonly unneeded: number;
  readonly isStuck: boolean;
}

function health({ isStuck, ready, registered }: GroupReport): string {
  return isStuck || ready < registered / 2 ? 'Unhealthy' : 'Healthy';
}

/** The status for people, in the layout of upstream. */
export function statusText(now: string, groups: readonly GroupReport[]): string {
  const sum = (of: (report: GroupReport) => number): number => groups.reduce((total, each) => total + of(each), 0);
  const upcoming = sum((each) => each.upcoming);
  const unneeded = sum((each) => each.unneeded);
  const lines = [
    `time: ${now}`,
    'autoscalerStatus: Running',
    'clusterWide:',
    '  health:',
    `    status: ${groups.some((each) => health(each) === 'Unhealthy') ? 'Unhealthy' : 'Healthy'}`,
    '    nodeCounts:',
    `      registered: {total: ${sum((each) => each.registered)}, ready: ${sum((each) => each.ready)}}`,
    '  scaleUp:',
    `    status: ${upcoming > 0 ? 'InProgress' : 'NoActivity'}`,
    '  scaleDown:',
    `    status: ${unneeded > 0 ? 'CandidatesPresent' : 'NoCandidates'}`,
    'nodeGroups:',
    ...groups.flatMap((each) => [
      `- name: ${each.group.id}`,
      '  health:',
      `    status: ${health(each)}`,
      `    cloudProviderTarget: ${each.group.target}`,
      `    minSize: ${each.group.min}`,
      `    maxSize: ${each.group.max}`,
      `    nodeCounts: {registered: {total: ${each.registered}, ready: ${each.ready}}}`,
      '  scaleUp:',
      `    status: ${each.upcoming > 0 ? 'InProgress' : 'NoActivity'}`,
      '  scaleDown:',
      `    status: ${each.unneeded > 0 ? 'CandidatesPresent' : 'NoCandidates'}`,
    ]),
  ];
  return `${lines.join('\n')}\n`;
}
