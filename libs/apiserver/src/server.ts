import { ApiError, fromUnknown } from '@capstan/meta';
import type { ApiRequest, ApiResponse, Clock, Random, Transport, UserInfo } from '@capstan/meta';
import { Auditor, NotAudited, type AuditOptions } from './audit/index.js';
import { serverAdmission, type ServerAdmission } from './admission/server-admission.js';
import { AccessControl } from './auth/access-control.js';
import { issuerResponse } from './system/issuer.js';
import { ServiceAccountTokens, type ServiceAccountOptions } from './auth/service-account-tokens.js';
import { Catalogue } from './catalogue/catalogue.js';
import type { ComputedResource } from './catalogue/computed-resources.js';
import { isProxyTarget } from './connect/index.js';
import { type Ways } from './verbs/connectors.js';
import { DurabilityGate } from './durability/gate.js';
import type { Journal } from './durability/journal.js';
import { FAULTS_PATH, faultsResponse } from './faults/endpoint.js';
import { ConnectionLost, FaultInjector } from './faults/faults.js';
import { strikeWith } from './faults/strike.js';
import { ServerMetrics } from './system/server-metrics.js';
import { Core } from './registry/core.js';
import { driveEffect } from './registry/drive.js';
import type { EffectDriver } from './registry/effects.js';
import { StoreAllocator } from './registry/service-allocator.js';
import { mediaTypeOf } from './request/body.js';
import { type YamlReader } from './yaml/types.js';
import { MalformedTarget, parseTarget, type RequestInfo } from './request/request-info.js';
import { finishResponse, type FinishContext } from './dispatch/finish.js';
import { ValuePayload, plainResponse, textPayload, textResponse } from './response/payload.js';
import { Store, type EncodedState, type HistoryLimits, type StoreSnapshot } from './store/index.js';
import { requireAllowed, type Authenticator, type Authorizer } from './auth/access.js';
import { bootstrap } from './system/bootstrap.js';
import { healthResponse, type HealthCheck } from './system/health.js';
import { rootPaths } from './system/root-paths.js';
import { versionResponse } from './system/version.js';
import { statusResponse } from './verbs/context.js';
import { runRequest } from './dispatch/run.js';
import type { WebhookCaller } from './webhook/call.js';

export interface ApiServerOptions extends Ways {
  readonly clock: Clock;
  readonly random: Random;
  /** Absent: callers that name no user are trusted as the server itself (in-process use). */
  readonly authenticate?: Authenticator;
  /** Decides instead of what `authorization` names. */
  readonly authorize?: Authorizer;
  /**
   * `admins-only` (the default): administrators may do everything, others nothing but read health and version. `rbac`:
   * as with `--authorization-mode=Node,RBAC`, nodes may do what they need for their pods, and for the rest the stored
   * roles and bindings decide; those of every cluster are there from the start.
   */
  readonly authorization?: 'admins-only' | 'rbac';
  /** How the tokens of service accounts are signed. */
  readonly serviceAccounts?: ServiceAccountOptions;
  readonly history?: Partial<HistoryLimits>;
  /** State to begin with instead of an empty store. */
  readonly snapshot?: StoreSnapshot;
  /** State to begin with, and where to keep what comes after it. Goes before `snapshot`. */
  readonly durable?: { readonly state: EncodedState; readonly journal: Journal };
  /** Lets administrators arm faults over the wire; off by default. */
  readonly faultsEndpoint?: boolean;
  /** `host:port` shown to clients in discovery. */
  readonly serverAddress?: string;
  /** How long the prefix of the network 10.0.0.0 is that Services get addresses from: 8 to 24, the default. */
  readonly servicePrefixLength?: number;
  /** The Kubernetes 1.x whose formats and words the schemas of custom resources follow: 30 to 36, the default. */
  readonly schemaMinor?: number;
  /** Carries reviews to webhooks; absent: no webhook answers. */
  readonly webhooks?: WebhookCaller;
  /** Resources that are computed when they are read, such as those of metrics.k8s.io. */
  readonly computed?: readonly ComputedResource[];
  /** Where to record who did what; absent: nowhere. */
  readonly audit?: AuditOptions;
  /** Called with errors that no request caused. */
  readonly onError?: (error: unknown) => void;
}

/** Loads the YAML codec; it is heavy and hardly any client needs it. */
type YamlModule = { readonly read: YamlReader; readonly write: (value: unknown) => string };

/**
 * The embedded Kubernetes API server: a function from request to response over a store. It listens to nothing and
 * starts nothing; front ends and clocks are given to it.
 */
export class ApiServer implements Transport {
  readonly store: Store;
  readonly faults = new FaultInjector();
  readonly metrics: ServerMetrics;
  /** Whether a request is only passed on, so that its body need not be here before it is. */
  readonly streamsBody = isProxyTarget;
  readonly #core: Core;
  readonly #options: ApiServerOptions;
  readonly #catalogue: Catalogue;
  readonly #access: AccessControl;
  readonly #admission: ServerAdmission['chain'];
  readonly #health: ReadonlyMap<string, HealthCheck> = new Map([
    ['ping', () => undefined],
    ['log', () => undefined],
    ['etcd', () => this.#options.durable?.journal.failure?.reason],
  ]);
  readonly #gate: DurabilityGate | undefined;
  readonly #drive: EffectDriver = (effect) => driveEffect(this.#core, effect, this.#options.webhooks);
  readonly #auditor: Auditor | undefined;
  #yaml: YamlModule | undefined;

  constructor(options: ApiServerOptions) {
    const { authorization = 'admins-only', clock, random, history, snapshot, durable } = options;
    this.#options = options;
    const storeOptions = {
      clock,
      ...(history === undefined ? {} : { history }),
      onListenerError: (error: unknown) => this.#report(error),
    };
    if (durable !== undefined) this.store = Store.reopen(durable.state, storeOptions);
    else this.store = snapshot === undefined ? new Store(storeOptions) : Store.restore(snapshot, storeOptions);
    // Before anything is written.
    this.#gate = durable === undefined ? undefined : new DurabilityGate(durable.journal, this.store);
    const allocate = new StoreAllocator(this.store, options.servicePrefixLength);
    this.#core = new Core({ ...options, store: this.store, allocate });
    this.#catalogue = new Catalogue({
      ...options,
      core: this.#core,
      onConversion: (outcome) => this.metrics.observeConversion(outcome),
    });
    const tokens = new ServiceAccountTokens({ store: this.store, clock, random, ...options.serviceAccounts });
    this.#access = new AccessControl({ ...options, store: this.store, authorization, tokens });
    const admission = serverAdmission(this.#core, this.#access.authorize, (group, version, kind) =>
      this.#catalogue.resources.findKind(group, version, kind),
    );
    this.#admission = admission.chain;
    this.#auditor = options.audit && new Auditor(options.audit, clock);
    this.metrics = new ServerMetrics(this.store, [...admission.metrics, ...(this.#auditor?.metrics ?? [])]);
    bootstrap(this.#core, this.#catalogue.resources, authorization === 'rbac');
    this.#catalogue.startRegistration();
    this.#gate?.guard(this.store);
  }

  /**
   * {@link handle}, as a transport: always a promise. Clients in process ask again as soon as they are answered, all within
   * one turn of the event loop: here they let others come in between.
   */
  async send(request: ApiRequest): Promise<ApiResponse> {
    const { turns } = this.#core.clock;
    if (turns?.isOver() === true) await turns.next();
    return this.handle(request);
  }

  /** Answers a request; synchronously unless something has to be waited for. Rejects only with {@link ConnectionLost}. */
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const started = this.#core.clock.monotonic();
    let info: RequestInfo;
    try {
      info = parseTarget(request.method, request.target);
    } catch (error) {
      if (error instanceof MalformedTarget) return plainResponse(400, '400 Bad Request');
      throw error;
    }
    const finish: FinishContext = { request, info, warnings: [], auditId: this.#core.uid(), yaml: undefined };
    const done = (response: ApiResponse): ApiResponse => this.#finish(response, finish, started);
    const failed = (error: unknown): ApiResponse => done(this.#failure(error));
    try {
      const respond = (): ApiResponse | Promise<ApiResponse> => this.#respond(request, info, finish);
      const result = this.#gate === undefined ? respond() : this.#gate.answer(request.method, respond);
      return result instanceof Promise ? result.then(done, failed) : done(result);
    } catch (error) {
      return failed(error);
    }
  }

  /** The whole state as plain data. */
  snapshot(): StoreSnapshot {
    return this.store.snapshot();
  }

  #respond(request: ApiRequest, info: RequestInfo, finish: FinishContext): ApiResponse | Promise<ApiResponse> {
    const user = this.#admitted(request, info, finish);
    // The way out of a fault must stay open.
    const fault = info.path === FAULTS_PATH ? undefined : this.faults.strike(info);
    if (fault === undefined) return this.#answer(request, info, finish, user);
    const sleep = (ms: number): Promise<void> => driveEffect(this.#core, { type: 'sleep', ms });
    return strikeWith(fault, () => this.#answer(request, info, finish, user), sleep);
  }

  /** Who is asking, once it is known that they may; the trail of the request begins when they are known. */
  #admitted(request: ApiRequest, info: RequestInfo, finish: FinishContext): UserInfo {
    const audited = { request, info, auditId: finish.auditId, received: this.#core.clock.now() };
    let actor: UserInfo;
    try {
      actor = this.#access.actor(request);
    } catch (error) {
      this.#auditor?.begin(audited, undefined)?.unauthenticated();
      throw error;
    }
    const audit = this.#auditor?.receive(audited, actor);
    finish.audit = audit;
    finish.isDenied = true;
    const { user, mode } = this.#access.standIn(request, actor, info);
    if (mode !== undefined) audit?.impersonates(user, mode);
    requireAllowed(user, info, this.#access.authorize, audit && ((decision) => audit.decided(decision)));
    finish.isDenied = false;
    return user;
  }

  #answer(
    request: ApiRequest,
    info: RequestInfo,
    finish: FinishContext,
    user: UserInfo,
  ): ApiResponse | Promise<ApiResponse> {
    // What is handed over as a value is no text to be read, whatever it would be called on the wire.
    const hasText = request.body !== undefined && request.body.type !== 'value';
    const isYaml =
      (hasText && mediaTypeOf(request.headers['content-type']).endsWith('yaml')) ||
      (request.headers['accept'] ?? '').includes('yaml');
    if (isYaml && this.#yaml === undefined)
      return this.#loadYaml().then(() => this.#answer(request, info, finish, user));
    finish.yaml = this.#yaml?.write;
    return info.isResource ? this.#resource(request, info, finish, user) : this.#nonResource(request, info);
  }

  #resource(
    request: ApiRequest,
    info: RequestInfo,
    finish: FinishContext,
    user: UserInfo,
  ): ApiResponse | Promise<ApiResponse> {
    const computed = this.#catalogue.compute(info);
    if (computed !== undefined) return computed;
    const served = this.#catalogue.find(info);
    if (served === undefined) return textResponse(404, '404 page not found\n');
    const namespace = served.definition.namespaced ? info.namespace : '';
    const call = {
      core: this.#core,
      request,
      info,
      served,
      namespace,
      warnings: finish.warnings,
      readYaml: this.#yaml?.read,
      user,
      access: this.#access,
      ways: this.#options,
      admission: this.#admission,
      resources: this.#catalogue.resources,
      drive: this.#drive,
      audit: finish.audit,
    };
    return runRequest(call, this.#options.webhooks);
  }

  #nonResource(request: ApiRequest, info: RequestInfo): ApiResponse {
    const { path, query } = info;
    if (path === FAULTS_PATH && this.#options.faultsEndpoint === true) return faultsResponse(request, this.faults);
    const health = healthResponse(path, query, this.#health);
    if (health !== undefined) return health;
    if (path === '/version') return versionResponse(info, request.headers['accept']);
    if (path === '/metrics') {
      const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
      return { status: 200, headers, body: textPayload(this.metrics.render()) };
    }
    const issuer = issuerResponse(path, this.#access.tokens, this.#options.serverAddress);
    if (issuer !== undefined) return issuer;
    if (path === '/' || path === '')
      return {
        status: 200,
        headers: {},
        body: new ValuePayload({ paths: rootPaths(this.#health.keys(), this.#catalogue.paths()) }),
      };
    return this.#catalogue.respond(request, info) ?? textResponse(404, '404 page not found\n');
  }

  #failure(error: unknown): ApiResponse {
    if (error instanceof ConnectionLost) throw error;
    if (error instanceof NotAudited) return textResponse(500, `${error.message}\n`);
    const known = error instanceof ApiError ? error : fromUnknown(error);
    if (!(error instanceof ApiError)) this.#report(error);
    return statusResponse(known.status);
  }

  #finish(response: ApiResponse, context: FinishContext, started: number): ApiResponse {
    const { info } = context;
    const finished = finishResponse(response, context, () => {
      const kind = this.#catalogue.resources.find(info.group, info.version, info.resource)?.definition.kind ?? '';
      return this.metrics.watchOpened(info.group, info.version, kind);
    });
    const { audit } = context;
    this.metrics.observe(info, finished.status, (this.#core.clock.monotonic() - started) / 1000);
    return audit === undefined ? finished : audit.answered(finished);
  }

  #report(error: unknown): void {
    this.#options.onError?.(error);
  }

  async #loadYaml(): Promise<void> {
    if (this.#yaml !== undefined) return;
    const [{ readYaml }, { writeYaml }] = await Promise.all([import('./yaml/read.js'), import('./yaml/write.js')]);
    this.#yaml = { read: readYaml, write: writeYaml };
  }
}
