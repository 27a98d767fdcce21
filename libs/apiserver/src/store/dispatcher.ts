import type { EventListener, EventSelector, StoreEvent } from './types.js';

interface Subscription {
  readonly listener: EventListener;
  /** Events up to here happened before the subscription, even if their delivery is still going on. */
  readonly since: number;
}

/** The subscriptions of one scope (everywhere, or one namespace): to all its names, or to one. */
interface Scope {
  readonly all: Set<Subscription>;
  readonly named: Map<string, Set<Subscription>>;
}

interface ResourceScopes {
  readonly everywhere: Scope;
  readonly namespaces: Map<string, Scope>;
}

function newScope(): Scope {
  return { all: new Set(), named: new Map() };
}

function isEmpty(scope: Scope): boolean {
  return scope.all.size === 0 && scope.named.size === 0;
}

/**
 * Carries events to listeners in revision order. A listener may write to the store: what it commits is queued behind
 * the event being delivered, so nobody sees a later event first. An event looks up only the subscriptions it matches.
 */
export class Dispatcher {
  readonly #all = new Set<Subscription>();
  readonly #resources = new Map<string, ResourceScopes>();
  readonly #onError: (error: unknown, event: StoreEvent) => void;
  #queue: StoreEvent[] = [];
  #isDelivering = false;

  constructor(onError: (error: unknown, event: StoreEvent) => void) {
    this.#onError = onError;
  }

  /** Calls the listener for every matching event after `since`. The result ends that; more than one call is harmless. */
  subscribe(listener: EventListener, since: number, selector?: EventSelector): () => void {
    const subscription: Subscription = { listener, since };
    if (selector === undefined) {
      this.#all.add(subscription);
      return () => void this.#all.delete(subscription);
    }
    this.#bucket(selector).add(subscription);
    return () => this.#remove(subscription, selector);
  }

  publish(event: StoreEvent): void {
    if (this.#all.size === 0 && this.#resources.size === 0) return;
    this.#queue.push(event);
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    // Grows while it is walked: listeners that write add to it.
    for (let index = 0; index < this.#queue.length; index++) {
      const next = this.#queue[index];
      if (next !== undefined) this.#deliver(next);
    }
    this.#queue = [];
    this.#isDelivering = false;
  }

  #deliver(event: StoreEvent): void {
    this.#each(this.#all, event);
    const scopes = this.#resources.get(event.resource);
    if (scopes === undefined) return;
    this.#scope(scopes.everywhere, event);
    this.#scope(scopes.namespaces.get(event.namespace), event);
  }

  #scope(scope: Scope | undefined, event: StoreEvent): void {
    if (scope === undefined) return;
    this.#each(scope.all, event);
    if (scope.named.size > 0) this.#each(scope.named.get(event.name), event);
  }

  #each(subscriptions: Set<Subscription> | undefined, event: StoreEvent): void {
    if (subscriptions === undefined || subscriptions.size === 0) return;
    // A Set may change while it is walked: what is removed is not met any more, what is added is met and is too young.
    for (const { listener, since } of subscriptions) {
      if (event.revision <= since) continue;
      try {
        listener(event);
      } catch (error) {
        this.#onError(error, event);
      }
    }
  }

  #bucket({ resource, namespace, name }: EventSelector): Set<Subscription> {
    let scopes = this.#resources.get(resource);
    if (scopes === undefined) {
      scopes = { everywhere: newScope(), namespaces: new Map() };
      this.#resources.set(resource, scopes);
    }
    let scope: Scope | undefined = scopes.everywhere;
    if (namespace !== undefined && namespace !== '') {
      scope = scopes.namespaces.get(namespace);
      if (scope === undefined) scopes.namespaces.set(namespace, (scope = newScope()));
    }
    if (name === undefined) return scope.all;
    let bucket = scope.named.get(name);
    if (bucket === undefined) scope.named.set(name, (bucket = new Set()));
    return bucket;
  }

  #remove(subscription: Subscription, { resource, namespace = '', name }: EventSelector): void {
    const scopes = this.#resources.get(resource);
    const scope = namespace === '' ? scopes?.everywhere : scopes?.namespaces.get(namespace);
    if (scopes === undefined || scope === undefined) return;
    if (name === undefined) scope.all.delete(subscription);
    else removeNamed(scope, name, subscription);
    // Thousands of short watches of single objects must leave nothing behind.
    if (namespace !== '' && isEmpty(scope)) scopes.namespaces.delete(namespace);
    if (isEmpty(scopes.everywhere) && scopes.namespaces.size === 0) this.#resources.delete(resource);
  }
}

function removeNamed(scope: Scope, name: string, subscription: Subscription): void {
  const bucket = scope.named.get(name);
  bucket?.delete(subscription);
  if (bucket?.size === 0) scope.named.delete(name);
}
