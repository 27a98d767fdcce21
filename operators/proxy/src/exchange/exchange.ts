import type { Credentials } from '@capstan/kube/connect';
import type { Refusal, TranslatedRequest } from '@capstan/translate';
import { ProxyError } from '../errors.js';
import type { ResponseHeaders } from '../upstream/response-head.js';
import { expectationOf } from '../upstream/response-parser.js';
import type { Wire, WireListener } from '../upstream/wire.js';
import { answerRefusal, refusalFor, refusalFrom } from './answers.js';
import { announcesBody } from './client.js';
import type { Asked, Reply, ReplyListener } from './client.js';
import { bodyDeadlinesOf } from './body-pace.js';
import type { ProxyContext } from './context.js';
import { admit } from './admit.js';
import type { Awaited } from './deadlines.js';
import { Observation } from './observation.js';
import { Relay } from './relay.js';
import type { Source } from './relay.js';
import { NO_BODY, RequestBody, writeChunk } from './request-body.js';
import type { Gathered } from './request-body.js';
import { isRepeatable, messageOf } from './request-plan.js';
import { interimHeaders, relayedHead } from './response-plan.js';

/** One request of a client and what becomes of it. */
export class Exchange implements Awaited, WireListener, ReplyListener, Source {
  /** Among all that are under way. */
  place = -1;
  dueAt = -1;
  earlier: Awaited | undefined;
  later: Awaited | undefined;
  readonly #context: ProxyContext;
  readonly #asked: Asked;
  readonly #reply: Reply;
  readonly #observation: Observation;
  readonly #done: () => void;
  #translated: TranslatedRequest | undefined;
  #body: RequestBody | undefined;
  #gathered: Gathered = NO_BODY;
  #wire: Wire | undefined;
  #relay: Relay | undefined;
  #resumeBody: (() => void) | undefined;
  #isRepeated = false;
  #isRefreshed = false;
  #isOver = false;

  constructor(context: ProxyContext, asked: Asked, reply: Reply, done: () => void) {
    this.#context = context;
    this.#asked = asked;
    this.#reply = reply;
    this.#done = done;
    this.#observation = new Observation(context, asked.method, asked.target);
    reply.listener = this;
  }

  /** Whether it goes on for as long as the client likes. */
  get isWatch(): boolean {
    return this.#translated?.isWatch === true;
  }

  /** Does what is asked; errors become answers. */
  run(): void {
    try {
      const known = this.#asked.findings?.translated;
      if (known !== undefined) {
        this.#proceed(known);
        return;
      }
      const refused = admit(this.#context.access, this.#asked);
      if (refused !== undefined) {
        this.#refuse(refusalFrom(refused));
        return;
      }
      const loading = this.#context.encodings.prepare(this.#asked.headers);
      // Most have nothing to wait for: they are sent in the turn in which they came.
      if (loading === undefined) this.#begin();
      else loading.then(() => this.#begin()).catch(this.#failRequest);
    } catch (error) {
      this.#failRequest(error);
    }
  }

  /** Ends a watch where no event is cut in two; anything else goes on. */
  endWatch(): void {
    if (!this.isWatch || this.#relay === undefined) return;
    this.#wire?.destroy();
    if (this.#relay.isAtLineEnd) this.#reply.end();
    else this.#reply.destroy();
  }

  onWritten(): void {
    this.#observation.rest();
  }

  onHead(status: number, headers: ResponseHeaders): void {
    this.#context.deadlines.remove(this);
    this.#observation.work();
    if (status === 401 && this.#refreshed()) return;
    const request = this.#translated;
    if (request === undefined) return;
    try {
      const head = relayedHead(request, { method: this.#asked.method, status, headers });
      this.#observation.head(status, headers, request);
      this.#relay = new Relay(this.#reply, this, head);
    } catch (error) {
      this.#fail(error, 'response');
    }
  }

  onInterim(status: number, headers: ResponseHeaders): void {
    if (this.#translated !== undefined && !this.#reply.isGone)
      this.#reply.interim(status, interimHeaders(this.#translated, status, headers));
  }

  onData(chunk: Buffer): void {
    this.#observation.work();
    this.#relay?.data(chunk);
  }

  onRead(isWithinChunk: boolean): void {
    this.#relay?.flush(isWithinChunk);
    if (!this.#reply.isWaiting) this.#observation.rest();
  }

  onEnd(trailers: ResponseHeaders | undefined): void {
    // From here on the wire may carry the request of another.
    this.#wire = undefined;
    this.#relay?.end(trailers);
  }

  onUpgrade(): void {
    this.#fail(new ProxyError('bad-response', 'the server changed the protocol without being asked'), 'response');
  }

  onDrain(): void {
    this.#resumeBody?.();
  }

  onReplyDrain(): void {
    this.#relay?.drained();
  }

  onReplyWritten(): void {
    this.#observation.rest();
  }

  onReplyClose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#context.deadlines.remove(this);
    this.#relay?.stop();
    if (!this.#reply.isSent) {
      this.#wire?.destroy();
      this.#observation.abandoned();
    }
    this.#observation.end();
    this.#done();
  }

  onError(error: ProxyError): void {
    const wire = this.#wire;
    const isStale = wire !== undefined && wire.uses > 1 && !wire.hasResponse;
    const isHarmless = wire?.isWritten === false || isRepeatable(this.#asked.method);
    if (isStale && !this.#isRepeated && this.#gathered.isWhole && isHarmless) {
      this.#isRepeated = true;
      this.#again();
    } else this.#fail(error, 'response');
  }

  late(limitMs: number): void {
    this.#wire?.destroy();
    this.#fail(new ProxyError('timeout', `no answer within ${limitMs / 1000} s`), 'response');
  }

  pause(): void {
    this.#wire?.pause();
  }

  resume(): void {
    this.#wire?.resume();
  }

  broke(error: unknown): void {
    this.#fail(error, 'response');
  }

  #begin(): void {
    const { findings, headers, method, target } = this.#asked;
    // Not what was asked itself: translations are remembered, and its connection must not be.
    const request = this.#context.encodings.translator.request({ method, target, headers });
    if ('refuse' in request) {
      this.#observation.unsupported(request.refuse);
      this.#refuse(request.refuse);
      return;
    }
    if (findings !== undefined) findings.translated = request;
    this.#proceed(request);
  }

  #proceed(request: TranslatedRequest): void {
    this.#translated = request;
    this.#observation.route = request.route;
    if (announcesBody(this.#asked.headers)) this.#gather(request);
    else this.#send('request');
  }

  #gather(request: TranslatedRequest): void {
    if (this.#asked.headers['expect'] !== undefined) this.#reply.goOn();
    this.#body = new RequestBody(this.#asked, request.body(), bodyDeadlinesOf(this.#context, request.route));
    this.#observation.rest();
    const send = (gathered: Gathered): void => {
      this.#gathered = gathered;
      this.#observation.work();
      this.#send('request');
    };
    this.#body.gather(send, this.#failRequest);
  }

  /** At once where nothing has to be waited for. */
  #send(direction: 'request' | 'response'): void {
    const { pool } = this.#context;
    const credentials = pool.credentials();
    const idle = this.#isRepeated || credentials instanceof Promise ? undefined : pool.take(credentials.certificate);
    if (idle !== undefined) this.#sendOn(idle, credentials as Credentials);
    else this.#sendLater(credentials).catch((error: unknown) => this.#fail(error, direction));
  }

  async #sendLater(found: Credentials | Promise<Credentials>): Promise<void> {
    const { pool } = this.#context;
    this.#observation.rest();
    const credentials = await found;
    const { certificate } = credentials;
    const idle = this.#isRepeated ? undefined : pool.take(certificate);
    const wire = idle ?? (await pool.dial(certificate));
    this.#observation.work();
    this.#sendOn(wire, credentials);
  }

  #sendOn(wire: Wire, credentials: Credentials): void {
    const translated = this.#translated;
    if (this.#isOver || translated === undefined) {
      this.#context.pool.idle(wire);
      return;
    }
    this.#wire = wire;
    const sent = { asked: this.#asked, translated, gathered: this.#body && this.#gathered };
    const { first, isChunked } = messageOf(this.#context, sent, credentials.headers);
    wire.send(first, this.#gathered.isWhole, this, expectationOf(this.#asked.method));
    if (this.#gathered.isWhole) this.#awaitAnswer();
    else this.#streamBody(wire, isChunked);
  }

  #streamBody(wire: Wire, isChunked: boolean): void {
    const { bytes } = this.#gathered;
    if (isChunked) writeChunk(wire, bytes);
    else wire.write(bytes);
    this.#gathered = { isWhole: false, bytes: NO_BODY.bytes };
    this.#resumeBody = this.#body?.stream(wire, isChunked, {
      fail: (error) => this.#fail(error, 'request'),
      sent: () => this.#awaitAnswer(),
    });
  }

  /** The time of the server begins when it knows all that was asked. */
  #awaitAnswer(): void {
    if (!this.#isOver && this.#relay === undefined) this.#context.deadlines.add(this);
  }

  /** Refused for its credentials alone, so certainly not acted upon: worth one more try with fresh ones. */
  #refreshed(): boolean {
    if (this.#isRefreshed || !this.#gathered.isWhole || !this.#context.pool.refresh()) return false;
    this.#isRefreshed = true;
    this.#wire?.destroy();
    this.#again();
    return true;
  }

  #again(): void {
    this.#context.deadlines.remove(this);
    try {
      this.#send('response');
    } catch (error) {
      this.#fail(error, 'response');
    }
  }

  readonly #failRequest = (error: unknown): void => this.#fail(error, 'request');

  /** Answers with the error while nothing was sent; afterwards the client only sees a broken connection. */
  #fail(error: unknown, direction: 'request' | 'response'): void {
    if (this.#isOver || this.#reply.isWaiting) return;
    this.#wire?.destroy();
    this.#relay?.stop();
    this.#observation.failed(error, direction);
    if (this.#reply.hasBegun) this.#reply.destroy();
    else this.#refuse(refusalFor(error, direction));
  }

  #refuse(refusal: Refusal): void {
    this.#observation.status = refusal.status;
    answerRefusal(this.#asked, this.#reply, refusal);
  }
}
