/** How the time of some work grows with the size of its input. */

/** An input that can be made of any size, and the work on it. */
export interface GrowthCase {
  readonly name: string;
  /** Measured by every run, also by those that take a part of the cases. */
  readonly isAlways?: true;
  /** The smallest size worth looking at. */
  readonly from?: number;
  /** The largest size that a stranger can send. */
  readonly most: number;
  /** Makes the work on an input of that size; what this takes does not count. */
  readonly prepare: (size: number) => () => unknown;
}

export interface Growth {
  readonly name: string;
  /** Size and least time in milliseconds, from the smallest on. */
  readonly points: readonly (readonly [size: number, ms: number])[];
  /** The power of the size that the time follows. */
  readonly exponent: number;
  /** What the work threw, which no input may bring it to. */
  readonly error?: string;
}

export interface MeasureOptions {
  /** Sizes are taken from where the work takes so long. */
  readonly leastMs: number;
  readonly rounds: number;
}

/** Linear work is 1, the square 2; sorting, and garbage that is collected later than it was made, are between. */
export const MAX_EXPONENT = 1.5;
const DOUBLINGS = 3;
/** Nothing above takes longer, so that what grows too fast is not measured for ever. */
const ENOUGH_MS = 3000;
/** Noise is small compared with this: one round is enough. */
const LONG_MS = 300;

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of several rounds: whatever else the machine does only adds to it. */
async function leastMs(work: () => unknown, rounds: number): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const ms = await cpuMs(work);
    least = Math.min(least, ms);
    if (ms > LONG_MS) break;
  }
  return Math.max(least, 0.001);
}

/** The slope of the logarithms, by least squares. */
export function exponentOf(points: Growth['points']): number {
  const logs = points.map(([size, ms]) => [Math.log(size), Math.log(ms)] as const);
  const mean = (at: 0 | 1): number => logs.reduce((sum, each) => sum + each[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const over = logs.reduce((sum, each) => sum + (each[0] - x) * (each[1] - y), 0);
  const under = logs.reduce((sum, each) => sum + (each[0] - x) ** 2, 0);
  return under === 0 ? 0 : over / under;
}

/** A size from which on the input counts for more than what every request takes. */
async function firstSize({ from = 16, most, prepare }: GrowthCase, options: MeasureOptions): Promise<number> {
  // What runs for the first times is slower than it will be: several rounds, too.
  const taken = (size: number): Promise<number> => leastMs(prepare(size), options.rounds + 1);
  const floor = Math.max(options.leastMs, 2 * (await taken(from)));
  let size = from;
  while (size * 2 ** DOUBLINGS < most && (await taken(size)) < floor) size *= 2;
  return size;
}

async function measureOnce(each: GrowthCase, options: MeasureOptions): Promise<Growth> {
  const points: [number, number][] = [];
  let size = await firstSize(each, options);
  for (let doubling = 0; doubling <= DOUBLINGS; doubling += 1, size *= 2) {
    const ms = await leastMs(each.prepare(Math.min(size, each.most)), options.rounds);
    points.push([Math.min(size, each.most), ms]);
    if (ms > ENOUGH_MS) break;
  }
  const [last = 0, ms = 0] = points.at(-1) ?? [];
  const isShort = ms < options.leastMs * 4;
  if (isShort && last < each.most) return measureOnce({ ...each, from: Math.ceil(last / 4) }, options);
  // What takes no time at any size a stranger can send does no harm, and its times are noise.
  return { name: each.name, points, exponent: isShort ? 0 : exponentOf(points) };
}

/** Measures, once more from a larger size where it seems to grow too fast: what is no noise grows so there, too. */
export async function measure(each: GrowthCase, options: MeasureOptions): Promise<Growth> {
  try {
    let growth = await measureOnce(each, options);
    for (let again = 1; again <= 2 && growth.exponent > MAX_EXPONENT; again += 1) {
      const next = await measureOnce(each, { leastMs: options.leastMs * 8 ** again, rounds: options.rounds + 2 });
      if (next.exponent < growth.exponent) growth = next;
    }
    return growth;
  } catch (error) {
    return { name: each.name, points: [], exponent: 0, error: String(error) };
  }
}
