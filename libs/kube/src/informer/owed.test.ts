import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { firstOf, withEvent } from './owed.js';
import type { InformerEvent, Owed } from './owed.js';

type Event = InformerEvent<KubeObject>;

/** `x1` is the first state of the object with uid x. All have the same name. */
function object(state: string): KubeObject {
  const metadata = { name: 'o', uid: state.slice(0, 1), resourceVersion: state.slice(1) };
  return { apiVersion: 'v1', kind: 'Pod', metadata };
}

const stateOf = ({ metadata }: KubeObject): string => `${metadata.uid}${metadata.resourceVersion}`;

/** `+x1`, `+x1!` in the initial list, `x1>x2`, `-x2`, `-x2?` deleted unseen. */
function event(text: string): Event {
  const [from = '', to = ''] = text.split('>');
  if (text.startsWith('+'))
    return { type: 'add', object: object(text.slice(1, 3)), isInInitialList: text.endsWith('!') };
  if (text.startsWith('-'))
    return { type: 'delete', object: object(text.slice(1, 3)), finalStateUnknown: text.endsWith('?') };
  return { type: 'update', old: object(from), object: object(to) };
}

function text(event: Event): string {
  if (event.type === 'add') return `+${stateOf(event.object)}${event.isInInitialList ? '!' : ''}`;
  if (event.type === 'delete') return `-${stateOf(event.object)}${event.finalStateUnknown ? '?' : ''}`;
  return `${stateOf(event.old)}>${stateOf(event.object)}`;
}

function eventsOf(owed: Owed<KubeObject> | undefined): string {
  const texts: string[] = [];
  for (let left = owed; left !== undefined;) {
    const { event: next, rest } = firstOf(left);
    if (next !== undefined) texts.push(text(next));
    left = rest;
  }
  return texts.join(' ');
}

describe('what is owed of one object', () => {
  it.each([
    ['', '', 'nothing'],
    ['+x1!', '+x1!', 'an object that came'],
    ['+x1 x1>x2 x2>x3', '+x1 x1>x3', 'one that came and changed, as it came and as it is'],
    ['+x1! x1>x2', '+x1! x1>x2', 'one of the first state that changed: the change is no part of that state'],
    ['+x1 -x1', '', 'one that came and went'],
    ['+x1 x1>x2 -x3', '', 'one that came, changed and went'],
    ['x1>x2 x2>x3 x3>x4', 'x1>x4', 'changes, from what was known to what is'],
    ['x2>x2', 'x2>x2', 'a resync'],
    ['x2>x2 x2>x2', 'x2>x2', 'resyncs'],
    ['x1>x2 x2>x2', 'x1>x2', 'a change before a resync'],
    ['x2>x2 x2>x3', 'x2>x3', 'a change after a resync'],
    ['+x1 x1>x1', '+x1 x1>x1', 'a resync of one that came'],
    ['x1>x2 -x3', '-x3', 'a deletion, whatever changed before'],
    ['x1>x2 -x2?', '-x2?', 'a deletion nobody saw'],
    ['-x2 +y3', '-x2 +y3', 'one that went and another of its name'],
    ['x1>x2 -x2 +y3 y3>y4 y4>y5', '-x2 +y3 y3>y5', 'one that went and another that changed'],
    ['-x2 +y3 -y4', '-x2', 'one that went, and nothing of another that came and went'],
    ['-x2 +y3 -y4 +z5', '-x2 +z5', 'one that went and the last of its name'],
    ['-x2 -y4', '-y4', 'the last deletion, to a handler without additions'],
    ['x1>x2 y4>y5', 'y4>y5', 'the changes of the last of a name, to a handler of updates alone'],
    ['x1>x2 +y4', '+y4', 'the last of a name, to a handler without deletions'],
  ])('"%s" leaves "%s" to be delivered: %s', (happened, left) => {
    const owed = happened
      .split(' ')
      .filter((each) => each !== '')
      .reduce<Owed<KubeObject>>((before, each) => withEvent(before, event(each)) ?? {}, {});
    expect(eventsOf(owed)).toBe(left);
  });
});
