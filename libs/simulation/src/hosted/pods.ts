import { sleeper } from '@capstan/cluster';
import type { Program } from '@capstan/cluster';
import { operatorProgram } from '../runtime/program.js';
import type { OperatorProgramOptions } from '../runtime/program.js';
import { operatorOf } from './components.js';
import type { HostedComponents } from './components.js';

/** What the images of a release do in pods: their program where there is one, else nothing, in good health. */
export function hostedProgram(programs: HostedComponents, options: OperatorProgramOptions): Program {
  return (container) => {
    const program = operatorOf(programs, container);
    return program === undefined ? sleeper(container) : operatorProgram(program, options)(container);
  };
}
