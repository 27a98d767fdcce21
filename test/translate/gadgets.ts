import { AGGREGATED, CRDS, definition, gadget, of, P, S } from './scenarios.js';
import type { Ask } from './through.js';
import { eventually } from '../src/wait.js';

const GROUPS = [S, P] as const;

/** Has a server serve both groups, with an object of the platform in the standard one; gives that as it was made. */
export async function installGadgets(direct: Ask): Promise<string> {
  for (const group of GROUPS) {
    await direct(CRDS, { method: 'POST', body: definition(group) });
    await eventually(`${group} is served`, async () => ((await direct(of(group))).status === 200 ? true : undefined));
    await eventually(`${group} is discovered`, async () => {
      const { text } = await direct('/apis', { accept: AGGREGATED });
      return text.includes(group) ? true : undefined;
    });
  }
  return (await direct(of(S), { method: 'POST', body: gadget(S, 1) })).text;
}

/** Removes both again. */
export async function removeGadgets(direct: Ask): Promise<void> {
  for (const group of GROUPS) await direct(`${CRDS}/gadgets.${group}`, { method: 'DELETE' });
}
