import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { NodeStreams } from '../streams.js';
import { commandOverSpdy, COMMAND_PROTOCOLS } from './command-spdy.js';
import { commandOverWebSocket, WEBSOCKET_COMMAND_PROTOCOLS } from './command-websocket.js';
import { readCommandRequest, runCommand, type CommandRequest } from './command.js';
import { forwardPorts, PORT_FORWARD_PROTOCOL, PORT_FORWARD_TUNNEL } from './port-forward.js';
import type { KubeletRoute } from './route.js';
import { refuse } from './refuse.js';

/** Clients send pieces of some ten kilobytes. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const SPDY = 'SPDY/3.1';

/** What is done once the protocol is settled. */
interface Session {
  readonly spdy: { readonly protocols: readonly string[]; run(socket: Duplex, protocol: string): Promise<void> };
  readonly webSocket: {
    readonly protocols: readonly string[];
    run(socket: WebSocket, protocol: string): Promise<void>;
  };
}

/** Takes connections that stop being HTTP: SPDY or WebSocket, as the client likes. */
export class Upgrades {
  readonly #streams: NodeStreams;
  readonly #report: (error: unknown) => void;
  #webSockets: Promise<WebSocketServer> | undefined;

  constructor(streams: NodeStreams, report: (error: unknown) => void) {
    this.#streams = streams;
    this.#report = report;
  }

  /** Starts a session on a connection that requests an upgrade, or returns why not. */
  begin(route: KubeletRoute, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const session = this.#session(route);
    if (session === undefined) return refuse(socket, 404, '404 page not found\n');
    if (typeof session === 'string') return refuse(socket, 400, session);
    const upgrade = (request.headers.upgrade ?? '').toLowerCase();
    if (upgrade === 'websocket') return this.#webSocket(session, request, socket, head);
    if (upgrade.includes(SPDY.toLowerCase())) return this.#spdy(session, request, socket, head);
    refuse(socket, 400, 'unable to upgrade: missing upgrade headers in request');
  }

  #session(route: KubeletRoute): Session | string | undefined {
    const streams = this.#streams;
    if (route.type === 'port-forward') {
      return {
        spdy: { protocols: [PORT_FORWARD_PROTOCOL], run: (socket) => forwardPorts(streams, route.target, socket) },
        webSocket: {
          protocols: [PORT_FORWARD_TUNNEL],
          run: async (socket) => forwardPorts(streams, route.target, await bytesOf(socket)),
        },
      };
    }
    if (route.type !== 'exec' && route.type !== 'attach') return undefined;
    const asked = readCommandRequest(route.type, route.target, route.query);
    return typeof asked === 'string' ? asked : commandSession(streams, asked);
  }

  #spdy({ spdy }: Session, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const offered = list(request.headers['x-stream-protocol-version']);
    // Clients that name none speak the first.
    const protocol = offered.length === 0 ? '' : offered.find((each) => spdy.protocols.includes(each));
    if (protocol === undefined) {
      const text = `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${spdy.protocols.join(' ')}]`;
      const accepted = spdy.protocols.map((each) => `X-Accepted-Stream-Protocol-Versions: ${each}`);
      return refuse(socket, 403, text, accepted);
    }
    const answer = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', `Upgrade: ${SPDY}`];
    if (protocol !== '') answer.push(`X-Stream-Protocol-Version: ${protocol}`);
    socket.write(`${answer.join('\r\n')}\r\n\r\n`);
    if (head.length > 0) socket.unshift(head);
    this.#watch(spdy.run(socket, protocol), socket);
  }

  #webSocket({ webSocket }: Session, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const offered = list(request.headers['sec-websocket-protocol']);
    const protocol = offered.find((each) => webSocket.protocols.includes(each));
    if (protocol === undefined && (offered.length > 0 || webSocket.protocols.includes(PORT_FORWARD_TUNNEL))) {
      const text = `requested protocol(s) are not supported: [${offered.join(' ')}]; supports [${webSocket.protocols.join(' ')}]`;
      return refuse(socket, 400, text);
    }
    // It would stumble over the slash in SPDY/3.1, so what is settled here is not shown to it.
    delete request.headers['sec-websocket-protocol'];
    if (protocol !== undefined) settledProtocols.set(request, protocol);
    this.#webSockets ??= loadWebSockets();
    const opening = this.#webSockets.then((server) => {
      server.handleUpgrade(request, socket, head, (opened) =>
        this.#watch(webSocket.run(opened, protocol ?? ''), socket),
      );
    });
    this.#watch(opening, socket);
  }

  /** A session reports its own failures to its client; other failures are the server's. */
  #watch(session: Promise<void>, socket: Duplex): void {
    void session.catch((error: unknown) => {
      this.#report(error);
      socket.destroy();
    });
  }
}

/** Loaded with the first client that needs it: it would make every start slower by a twentieth of a second. */
async function loadWebSockets(): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import('ws');
  const server = new Server({ noServer: true, clientTracking: false, maxPayload: MAX_MESSAGE_BYTES });
  server.on('headers', (headers, request) => {
    const protocol = settledProtocols.get(request);
    if (protocol !== undefined) headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
  });
  return server;
}

async function bytesOf(socket: WebSocket): Promise<Duplex> {
  // Messages that come while this is awaited must not be lost; the module is there, so it is not for long.
  socket.on('error', () => {});
  socket.pause();
  const { createWebSocketStream } = await import('ws');
  const bytes = createWebSocketStream(socket);
  socket.resume();
  return bytes;
}

const settledProtocols = new WeakMap<IncomingMessage, string>();

function commandSession(streams: NodeStreams, request: CommandRequest): Session {
  return {
    spdy: {
      protocols: COMMAND_PROTOCOLS,
      async run(socket, protocol) {
        const wire = await commandOverSpdy(socket, request, protocol);
        if (wire !== undefined) await runCommand(streams, request, wire);
      },
    },
    webSocket: {
      protocols: WEBSOCKET_COMMAND_PROTOCOLS,
      run: (socket, protocol) => runCommand(streams, request, commandOverWebSocket(socket, request, protocol)),
    },
  };
}

function list(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}
