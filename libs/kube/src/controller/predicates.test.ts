import { describe, expect, it } from 'vitest';
import { parseLabelSelector } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { ObjectEvent } from './events.js';
import { priorityOf, requestKey, requestOf } from './events.js';
import {
  and,
  annotationsChanged,
  changedOutsideStatus,
  changedExceptStatus,
  contentChanged,
  generationChanged,
  labelsChanged,
  matchesLabels,
  matchesObject,
  not,
  or,
  resourceVersionChanged,
} from './predicates.js';
import type { Predicate } from './predicates.js';

function object(metadata: KubeObject['metadata']): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata };
}

function update(old: KubeObject['metadata'], now: KubeObject['metadata']): ObjectEvent {
  return { type: 'update', old: object(old), object: object(now) };
}

/** An update of the status alone. */
function statusUpdate(old: object, now: object): ObjectEvent {
  return {
    type: 'update',
    old: { ...object({ resourceVersion: '1' }), status: old },
    object: { ...object({ resourceVersion: '2' }), status: now },
  };
}

const CREATED: ObjectEvent = { type: 'create', object: object({}), isInInitialList: false };
const always: Predicate = () => true;
const never: Predicate = () => false;

describe('predicates', () => {
  it.each<[string, Predicate, ObjectEvent, boolean]>([
    ['another generation', generationChanged, update({ generation: 1 }, { generation: 2 }), true],
    ['the same generation', generationChanged, update({ generation: 1 }, { generation: 1, labels: { a: '1' } }), false],
    ['no generation at all', generationChanged, update({}, { finalizers: ['x'] }), false],
    ['a creation', generationChanged, CREATED, true],
    ['another spec', changedOutsideStatus, update({ generation: 1 }, { generation: 2 }), true],
    ['a status', changedOutsideStatus, update({ generation: 1, resourceVersion: '1' }, { generation: 1 }), false],
    ['the beginning of its end', changedOutsideStatus, update({}, { deletionTimestamp: 'now' }), true],
    ['another finalizer', changedOutsideStatus, update({ finalizers: ['x'] }, { finalizers: ['y'] }), true],
    ['the same words', changedOutsideStatus, update({ labels: { a: '1' } }, { labels: { a: '1' } }), false],
    ['another of its name', changedOutsideStatus, update({ uid: 'a' }, { uid: 'b' }), true],
    ['another version', resourceVersionChanged, update({ resourceVersion: '1' }, { resourceVersion: '2' }), true],
    ['a resync', resourceVersionChanged, update({ resourceVersion: '1' }, { resourceVersion: '1' }), false],
    ['other labels', labelsChanged, update({ labels: { a: '1' } }, { labels: { a: '2' } }), true],
    ['no labels and empty labels', labelsChanged, update({}, { labels: {} }), false],
    ['other annotations', annotationsChanged, update({}, { annotations: { a: '1' } }), true],
    [
      'the same annotations',
      annotationsChanged,
      update({ annotations: { a: '1' } }, { annotations: { a: '1' } }),
      false,
    ],
    [
      'another revision alone',
      contentChanged,
      update({ resourceVersion: '1', managedFields: [] }, { resourceVersion: '2', managedFields: [{}] }),
      false,
    ],
    ['other content', contentChanged, update({ name: 'x' }, { name: 'x', finalizers: ['f'] }), true],
    [
      'another status',
      contentChanged,
      { type: 'update', old: { ...object({}), status: { a: 1 } }, object: { ...object({}), status: { a: 2 } } },
      true,
    ],
    ['a creation', contentChanged, CREATED, true],
    ['a field that matters to nobody', changedExceptStatus('count'), statusUpdate({ a: 1 }, { a: 1, count: 2 }), false],
    [
      'another field in addition',
      changedExceptStatus('count'),
      statusUpdate({ a: 1, count: 1 }, { a: 2, count: 2 }),
      true,
    ],
    ['a field that is gone', changedExceptStatus('count'), statusUpdate({ a: 1 }, {}), true],
    ['an object outside its status', changedExceptStatus('count'), update({}, { labels: { a: '1' } }), true],
    ['a creation', changedExceptStatus('count'), CREATED, true],
    ['labels taken after', matchesLabels(parseLabelSelector('a=1')), update({}, { labels: { a: '1' } }), true],
    ['labels taken before only', matchesLabels(parseLabelSelector('a=1')), update({ labels: { a: '1' } }, {}), false],
    ['a function', matchesObject(({ metadata }) => metadata.name === 'x'), update({}, { name: 'x' }), true],
    ['all', and(always, always), CREATED, true],
    ['not all', and(always, never), CREATED, false],
    ['one', or(never, always), CREATED, true],
    ['none', or(never, never), CREATED, false],
    ['the opposite', not(never), CREATED, true],
  ])('decide on %s', (_name, predicate, event, decision) => {
    expect(predicate(event)).toBe(decision);
  });
});

describe('events', () => {
  it.each<[string, ObjectEvent, number]>([
    ['what was there at the start', { ...CREATED, isInInitialList: true } as ObjectEvent, -100],
    ['what is new', CREATED, 0],
    ['a resync', update({ resourceVersion: '1' }, { resourceVersion: '1' }), -100],
    ['a change', update({ resourceVersion: '1' }, { resourceVersion: '2' }), 0],
    ['a deletion', { type: 'delete', object: object({}), finalStateUnknown: false }, 0],
  ])('have the priority of %s', (_name, event, priority) => {
    expect(priorityOf(event)).toBe(priority);
  });

  it.each([
    { namespace: 'n', name: 'a' },
    { namespace: '', name: 'system:node' },
  ])('have requests that survive being a key: %o', (request) => {
    expect(requestOf(requestKey(request))).toEqual(request);
  });
});
