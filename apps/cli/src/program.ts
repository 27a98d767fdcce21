import { Help } from 'commander';
import type { Command, Option } from 'commander';
import { addApiserver } from './commands/apiserver.js';
import { addCapiOperator } from './commands/capi-operator.js';
import { addCompletion } from './commands/completion.js';
import { addConfigOperator, addControlPlaneOperator } from './commands/control-plane-operator.js';
import { addConversionShim } from './commands/conversion-shim.js';
import { addConvert } from './commands/convert.js';
import { addCrdCompatibility } from './commands/crd-compatibility.js';
import { addCrds } from './commands/crds.js';
import { addCreate } from './commands/create.js';
import { addDestroy } from './commands/destroy.js';
import { addDump } from './commands/dump.js';
import { addGet } from './commands/get.js';
import { addInstall, addUninstall } from './commands/install.js';
import { addMachineApi } from './commands/machine-api.js';
import { addManifests } from './commands/manifests.js';
import { addMigration } from './commands/migration.js';
import { addObservability } from './commands/observability.js';
import { addOperator } from './commands/operator.js';
import { addProxy } from './commands/proxy.js';
import { addUp } from './commands/up.js';
import { addVersion } from './commands/version.js';
import { clientVersion } from './client-version.js';
import { CapstanCommand } from './command.js';
import type { Context } from './context.js';

/** Marks required options in the help, which commander leaves out. */
function optionDescription(option: Option): string {
  const usual = new Help().optionDescription(option);
  return option.mandatory ? `${usual} (required)` : usual;
}

/** A command in the list of its parent: one short sentence without a full stop, as in kubectl. */
function subcommandDescription(command: Command): string {
  return command.summary() === '' ? command.description().replace(/\.$/, '') : command.summary();
}

/** The whole command tree. Declarations only: what a command does is loaded when it runs. */
export function createProgram(context: Context): Command {
  const { io } = context;
  const program = new CapstanCommand('capstan')
    .description('One Kubernetes management cluster, safe to share.')
    .version(clientVersion(), '-V, --version', 'print the version of this program')
    .helpOption('-h, --help', 'print help')
    .commandsGroup('Other Commands:')
    .helpCommand('help [command]', 'Print help for a command')
    .showHelpAfterError("See 'capstan --help' for usage.")
    .exitOverride()
    .configureHelp({ optionDescription, subcommandDescription })
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .addHelpText(
      'after',
      '\nExamples:\n  capstan up                      start a management cluster with a small fleet\n  capstan apiserver               start a Kubernetes API server on a free port\n  capstan <command> --help        learn more about a command',
    );
  program.commandsGroup('Basic Commands:');
  addUp(program, context);
  addApiserver(program, context);
  addVersion(program, context);
  addCompletion(program, context);
  program.commandsGroup('Hosted Cluster Commands:');
  addCreate(program, context);
  addGet(program, context);
  addDestroy(program, context);
  addDump(program, context);
  addMigration(program, context);
  program.commandsGroup('CRD and Machine Commands:');
  addCrds(program, context);
  addConvert(program, context);
  addMachineApi(program, context);
  program.commandsGroup('Installation Commands:');
  addInstall(program, context);
  addUninstall(program, context);
  addManifests(program, context);
  addObservability(program, context);
  program.commandsGroup('Operator and Server Commands:');
  addOperator(program, context);
  addControlPlaneOperator(program, context);
  addConfigOperator(program, context);
  addCapiOperator(program, context);
  addCrdCompatibility(program, context);
  addConversionShim(program, context);
  addProxy(program, context);
  return program;
}
