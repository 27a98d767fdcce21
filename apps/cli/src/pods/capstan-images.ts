import type { Program, ProgramRegistry } from '@capstan/cluster';
import type { RunCommand } from '../context.js';

/** The image that `capstan up` runs its own components from. */
export const CAPSTAN_IMAGE = 'quay.io/capstan/capstan';
/** Its name where no registry is given: what `capstan install` and `capstan manifests` name unless `--image` does. */
const LOCAL_IMAGE = 'capstan';
const COMMAND = 'capstan';

/** Lets pods run the `capstan` command from its images, and from no other. */
export function registerCapstan(registry: ProgramRegistry, command: RunCommand): ProgramRegistry {
  // Loaded with the first such container: an idle server does without.
  const capstan: Program = async (container) => {
    const { capstanProgram } = await import('./capstan-program.js');
    return capstanProgram(container, command);
  };
  return registry.register(CAPSTAN_IMAGE, capstan).register(LOCAL_IMAGE, capstan).reserve(COMMAND);
}
