import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** How much is held that is not garbage. */
export function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
