import { sleeper } from '@capstan/cluster';
import type { Program } from '@capstan/cluster';
import { operatorProgram } from '../runtime/program.js';
import type { OperatorProgramOptions } from '../runtime/program.js';
import { operatorOf } from './components.js';
import type { HostedComponents } from './components.js';

/** What the images of a release do in pods: their operator where there is one; others only run. */
export function hostedProgram(components: HostedComponents, options: OperatorProgramOptions): Program {
  return (container) => {
    const operator = operatorOf(components, container);
    return operator === undefined ? sleeper(container) : operatorProgram(operator, options)(container);
  };
}
