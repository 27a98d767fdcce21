import { Agent, request } from 'node:http';
import type { Random } from '@capstan/meta';
import { Dice } from './dice.js';
import { WildRequests } from './requests.js';
import type { WildRequest } from './requests.js';
import { MARK } from './fixture.js';
import type { Fixture } from './fixture.js';

/** What a round came to. */
export interface Outcome {
  readonly sent: number;
  /** By status, to see that requests reach something. */
  readonly statuses: Readonly<Record<string, number>>;
  /** What must not be. */
  readonly findings: readonly string[];
}

const AT_ONCE = 6;
/** A watch is left after its first events. */
const WATCH_MS = 60;
/** Of a request that is never answered. */
const ANSWER_MS = 30_000;
const PRIVATE = 'cluster.hypershift.openshift.io';

interface Reply {
  /** 0: the connection broke. */
  readonly status: number;
  readonly text: string;
}

/** Sends random requests through the proxy of a fixture and reports answers that break the isolation. */
export async function runRound(
  fixture: Fixture,
  { count, random }: { count: number; random: Random },
): Promise<Outcome> {
  const before = await fixture.platform();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const wild = new WildRequests(new Dice(random), fixture.names);
  const statuses: Record<string, number> = {};
  const findings: string[] = [];
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const asked = wild.next();
      const reply = await send(fixture.url, asked, agent);
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
      findings.push(...findingsOf(asked, reply));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  findings.push(...(await writtenBack(fixture)));
  agent.destroy();
  const after = await fixture.platform();
  for (const place of Object.keys(before))
    if (after[place] !== before[place]) findings.push(`${place} was ${before[place]} and is ${after[place]}`);
  return { sent: count, statuses, findings };
}

function findingsOf(asked: WildRequest, { status, text }: Reply): string[] {
  const summary = `${asked.method} ${asked.target} ${JSON.stringify(asked.headers)} ${asked.body ?? ''}: ${status} ${text.slice(0, 2000)}`;
  // Servers have a few 500 of their own.
  const isOfProxy = status === 0 || status > 500 || (status === 500 && text.includes('log of the proxy'));
  return [
    ...(text.includes(MARK) ? [`shows what is the platform's: ${summary}`] : []),
    ...(asked.isStrict && text.includes(PRIVATE) ? [`shows a private name: ${summary}`] : []),
    ...(isOfProxy ? [`fails: ${summary}`] : []),
  ];
}

/** Something shared that is the platform's, read and written back as it was read: nothing may have changed. */
async function writtenBack({ names, url }: Fixture): Promise<string[]> {
  const target = `/api/v1/namespaces/${names.namespace}/configmaps/platforms`;
  const headers = { accept: 'application/json', 'user-agent': 'isolation' };
  const agent = new Agent();
  const read = await send(url, { method: 'GET', target, headers, isStrict: false }, agent);
  const typed = { ...headers, 'content-type': 'application/json' };
  const { status, text } = await send(
    url,
    { method: 'PUT', target, headers: typed, body: read.text, isStrict: false },
    agent,
  );
  if (!read.text.includes(PRIVATE)) return [`an owner of the platform is shown as ours: ${read.text}`];
  return status === 200 ? [] : [`${target} cannot be written back: ${status} ${text}`];
}

function send(
  url: string,
  { body, headers, isWatch = false, method, target }: WildRequest,
  agent: Agent,
): Promise<Reply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    // Node sends the body of a DELETE without a content length.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request({ agent, headers: { ...headers, ...length }, hostname, method, path: target, port });
    const end = (reply: Reply): void => {
      clearTimeout(timer);
      resolve(reply);
      // Whatever is still to come is of no interest.
      sent.destroy();
    };
    let timer = setTimeout(() => end({ status: 0, text: 'no answer' }), ANSWER_MS);
    sent.on('error', (error) => end({ status: 0, text: error.message }));
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      end({ status: response.statusCode ?? 0, text: '' });
    });
    sent.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      const chunks: Buffer[] = [];
      const done = (): void => end({ status, text: Buffer.concat(chunks).toString('latin1') });
      if (isWatch) {
        clearTimeout(timer);
        timer = setTimeout(done, WATCH_MS);
      }
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status, text: Buffer.concat(chunks).toString('latin1') });
      });
      response.on('error', (error) => end({ status: 0, text: error.message }));
    });
    sent.end(body);
  });
}
