/** The handover of a set and its machines on a copy, as the engine of rehearsals carries it out. */
import { machineApiSyncOperator } from '@capstan/machine-api';
import type { ConversionPlatforms } from '@capstan/provider';
import { handoverRehearsalOracles, machineProcesses, MachinesCopy, operatorProcess, settle } from '@capstan/simulation';
import type { MachinesState, ProcessDefinition, RehearsalScenario, SettledCopy } from '@capstan/simulation';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { machineApiOperator } from '@capstan/upstream';
import { CliError } from '../../errors.js';
import { conversionPlatforms } from '../../platforms.js';
import type { ScenarioFactory } from '../../rehearsal/runner.js';
import type { Authority } from '../resource.js';
import { Handover } from './handover.js';
import { contextIn, sameMeaning } from './meaning.js';
import { conversionOf, infrastructureOf } from './platform.js';
import type { MachinesSource } from './read.js';

/** What is to move. */
export interface RehearsedSwitch {
  /** `machineset/workers`. */
  readonly id: string;
  /** Why it is not rehearsed; undefined where it is. */
  readonly ineligible: string | undefined;
}

/** Plain data: threads are sent it. */
export interface HandoverData {
  readonly source: MachinesSource;
  readonly switches: readonly RehearsedSwitch[];
  readonly to: Authority;
}

interface AtRest extends SettledCopy<MachinesCopy> {
  readonly platforms: ConversionPlatforms;
  readonly state: MachinesState;
}

/** One for each switch; all begin with the same copy, at rest. */
export const scenariosOf: ScenarioFactory<HandoverData> = ({ source, switches, to }) => {
  let pending: Promise<AtRest> | undefined;
  let rest: AtRest | undefined;
  const atRest = async (): Promise<AtRest> => (rest = await (pending ??= settled(source)));
  return switches.map(({ id }): RehearsalScenario => ({
    copy: async () => (await atRest()).copy,
    begin: ({ initial, pass, simulation }) => {
      if (rest === undefined) throw new CliError('the copy is not at rest', 'this is a defect');
      const machines = new MachinesCopy(simulation, simulation.random.split('machines'), rest.state);
      const row = infrastructureOf(source.platform, rest.platforms);
      const platform = conversionOf(source.platform, rest.platforms);
      const { namespaces } = source;
      const hasSameMeaning = sameMeaning(platform, contextIn(initial, platform, namespaces));
      const handover = new Handover({ id, to, namespaces, hasSameMeaning });
      return {
        standIns: standInsOf(source, machines, rest.platforms),
        actions: [handover.there(), handover.back()],
        oracles: handoverRehearsalOracles({
          cloud: machines.cloud,
          infrastructure: `${row.group}/${row.prefix.toLowerCase()}machines`,
          initial,
          isCalm: !pass.isFaulty,
        }),
        notes: rest.isQuiet ? [] : ['the controllers of the copy did not come to rest before it began'],
      };
    },
  }));
};

/** Mirrors that are not there yet are created first, and whatever controllers would do anyway is done. */
async function settled(source: MachinesSource): Promise<AtRest> {
  const platforms = await conversionPlatforms();
  const done = await settle({
    copy: source,
    begin: (simulation) => {
      const kept = new MachinesCopy(simulation, simulation.random.split('machines'), source.machines);
      return { kept, standIns: standInsOf(source, kept, platforms) };
    },
  });
  return { ...done, platforms, state: done.kept.state };
}

function standInsOf(
  source: MachinesSource,
  machines: MachinesCopy,
  platforms: ConversionPlatforms,
): readonly ProcessDefinition[] {
  const { machineApi, clusterApi: namespace } = source.namespaces;
  const { platform } = infrastructureOf(source.platform, platforms);
  const controllers = { core: 'v1beta2', platforms: [platform], carried: [] } as const;
  const options = { controllers, machines, mapping: new GroupMapping(CLUSTER_API_RULES), namespace };
  return [
    operatorProcess(machineApiOperator(machines.cloud), { namespace: machineApi }),
    ...['cluster-api', 'capi-provider'].flatMap((each) => machineProcesses(each, false, options)),
    operatorProcess(machineApiSyncOperator({ platforms }), {
      namespace,
      args: [
        '--feature-gates=MachineAPIMigration=true',
        `--machine-api-namespace=${machineApi}`,
        `--cluster-api-namespace=${namespace}`,
      ],
    }),
  ];
}
