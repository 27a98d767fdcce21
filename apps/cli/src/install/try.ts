import type { Client } from '@capstan/kube';
import { ApiError, isAlreadyExists, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import { isOptional, nameOf, refOf, refuseOnceStopped, tryApply } from './cluster.js';
import { objectsOf } from './components.js';
import type { Plan } from './components.js';

/**
 * Lets the server try every object before the first is written, so that nothing is half installed. Objects of kinds that
 * the installation itself brings cannot be tried yet.
 */
export async function tryAll(client: Client, plan: Plan, signal: AbortSignal | undefined): Promise<void> {
  const refused: string[] = [];
  const attempt = async (object: KubeObject, act: () => Promise<unknown>): Promise<void> => {
    refuseOnceStopped(signal, object);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isNotFound(error) || isOptional(object)) return;
      refused.push(`${nameOf(object)} cannot be installed: ${error.message.replaceAll('\n', ' ')}`);
    }
  };
  for (const object of [...plan.definitions, ...objectsOf(plan)]) await attempt(object, () => tryApply(client, object));
  for (const object of [...plan.platformDefinitions, ...plan.once])
    await attempt(object, async () => {
      await client.create(refOf(object), object, { dryRun: true }).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
    });
  const [first, ...more] = refused;
  if (first !== undefined)
    throw new CliError(
      [first, ...more.map((refusal) => `error: ${refusal}`)].join('\n'),
      'nothing was installed: the messages of the server name the reasons',
    );
}
