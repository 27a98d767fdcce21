import { maxOf } from '@capstan/meta';

/** What `capstan up` shows of itself while it comes up and while it runs: plain values in, lines out. */

export type StageState = 'waiting' | 'working' | 'done' | 'failed';

/** One thing that has to be there before the whole is usable. */
export interface Stage {
  readonly name: string;
  readonly state: StageState;
  /** What of it is there by now, in a few words. */
  readonly detail: string;
}

/** All there is to see at one moment. */
export interface View {
  readonly stages: readonly Stage[];
  /** The clusters that are being moved to private types, each by itself. */
  readonly migration?: readonly Stage[] | undefined;
  /** Since the start. */
  readonly elapsedMs: number;
}

const MARKS: Readonly<Record<StageState, string>> = { waiting: '·', working: '…', done: '✔', failed: '✘' };
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPIN_MS = 100;
const SECOND_MS = 1000;
const MINUTE_S = 60;
/** So many after the first are shown line by line. */
const FEW_STAGES = 2;

/** The view as lines no wider than the terminal: a line that wraps cannot be taken back. */
export function frame(view: View, columns: number): string[] {
  const { migration = [] } = view;
  const width = maxOf([...view.stages, ...migration].map(({ name }) => name.length));
  const begun = view.stages.findIndex(({ state }) => state !== 'done');
  const over = view.stages.slice(0, begun < 0 ? view.stages.length - 1 : begun);
  const [first, ...others] = over;
  const spin = SPINNER[Math.floor(view.elapsedMs / SPIN_MS) % SPINNER.length] ?? '';
  const line = ({ detail, name, state }: Stage): string => {
    const mark = state === 'working' ? spin : MARKS[state];
    return clipped(`  ${mark} ${name.padEnd(width)}  ${detail}`.trimEnd(), columns);
  };
  if (first === undefined || others.length < FEW_STAGES) return [...view.stages, ...migration].map(line);
  // A screen is small: of what is over one line is left.
  const rest = others.map(({ detail, name }) => `${detail.split(' ')[0] ?? ''} ${name}`);
  const left = view.stages.slice(over.length);
  return [line({ ...first, detail: [first.detail, ...rest].join(', ') }), ...[...left, ...migration].map(line)];
}

/** `n of m things`, for a detail; a noun is given in the plural. */
export function counted(done: number, total: number, noun: string): string {
  const things = total === 1 && noun.endsWith('s') ? noun.slice(0, -1) : noun;
  return done === total ? `${total} ${things}` : `${done} of ${total} ${things}`;
}

/** Seconds with a decimal while they are few, then minutes and hours. */
export function elapsed(ms: number): string {
  const seconds = ms / SECOND_MS;
  if (seconds < MINUTE_S) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / MINUTE_S);
  if (minutes < MINUTE_S) return `${minutes} min ${whole % MINUTE_S} s`;
  return `${Math.floor(minutes / MINUTE_S)} h ${minutes % MINUTE_S} min`;
}

function clipped(line: string, columns: number): string {
  const characters = [...line];
  return characters.length < columns ? line : `${characters.slice(0, Math.max(0, columns - 2)).join('')}…`;
}
