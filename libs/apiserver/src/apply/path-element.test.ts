import { describe, expect, it } from 'vitest';
import { goJson, goJsonString, goSyntax } from './go-json.js';
import {
  UNKNOWN_ELEMENT,
  elementText,
  fieldElement,
  keyElement,
  parseElement,
  sortElements,
  valueElement,
} from './path-element.js';

describe('path elements', () => {
  it.each([
    ['a member', fieldElement('a'), 'f:a', '.a'],
    ['a member with quotes', fieldElement('a"b'), 'f:a"b', '.a"b'],
    ['a member called __proto__', fieldElement('__proto__'), 'f:__proto__', '.__proto__'],
    ['a keyed item', keyElement({ name: 'a' }), 'k:{"name":"a"}', '[name="a"]'],
    [
      'an item with two keys in byte order',
      keyElement({ proto: 'TCP', port: 80 }),
      'k:{"port":80,"proto":"TCP"}',
      '[port=80,proto="TCP"]',
    ],
    [
      'an item with integer-like keys',
      keyElement({ b: 1, '10': 2, '9': 3 }),
      'k:{"10":2,"9":3,"b":1}',
      '[10=2,9=3,b=1]',
    ],
    ['an item with a null key', keyElement({ name: null }), 'k:{"name":null}', '[name=null]'],
    ['a string in a set', valueElement('x'), 'v:"x"', '[="x"]'],
    ['a number in a set', valueElement(1.5), 'v:1.5', '[=1.5]'],
    ['a boolean in a set', valueElement(true), 'v:true', '[=true]'],
    ['markup in a set', valueElement('<a&b>'), 'v:"\\u003ca\\u0026b\\u003e"', '[="<a&b>"]'],
    ['control characters in a set', valueElement('\b\t\n'), 'v:"\\u0008\\t\\n"', '[="\\b\\t\\n"]'],
    ['an integer beyond 2^53', valueElement(9007199254740993n), 'v:9007199254740993', '[=9.007199254740992e+15]'],
  ])('%s has its canonical text and its printed form', (_name, element, text, printed) => {
    expect(element).toBe(text);
    expect(elementText(element)).toBe(printed);
    expect(parseElement(element)).toBe(element);
  });

  it.each([
    ['k:{"b":1,"a":2}', 'k:{"a":2,"b":1}'],
    ['k:{ "a" : "x" }', 'k:{"a":"x"}'],
    ['v:1.0', 'v:1'],
    ['v:"\\u0041"', 'v:"A"'],
    ['i:007', 'i:7'],
    ['f:', 'f:'],
  ])('%s is read as %s', (stored, canonical) => {
    expect(parseElement(stored)).toBe(canonical);
  });

  it('leaves kinds of a later server alone', () => {
    expect(parseElement('x:y')).toBe(UNKNOWN_ELEMENT);
  });

  it.each([
    ['', 'key must be 2 characters long:'],
    ['f', 'key must be 2 characters long:'],
    ['name', 'missing colon: name'],
    ['i:x', 'strconv.Atoi: parsing "x": invalid syntax'],
  ])('refuses %j', (stored, message) => {
    expect(() => parseElement(stored)).toThrow(message);
  });

  it('refuses keys that are not an object', () => {
    expect(() => parseElement('k:1')).toThrow(SyntaxError);
    expect(() => parseElement('v:{')).toThrow(SyntaxError);
  });

  it.each([
    ['kinds', ['i:0', 'v:1', 'k:{"a":1}', 'f:z'], ['f:z', 'k:{"a":1}', 'v:1', 'i:0']],
    [
      'members by bytes',
      ['f:\ufffd', 'f:\u{10000}', 'f:b', 'f:a', 'f:B'],
      ['f:B', 'f:a', 'f:b', 'f:\ufffd', 'f:\u{10000}'],
    ],
    ['numbers by value, before text', ['v:"1"', 'v:10', 'v:9', 'v:2.5'], ['v:2.5', 'v:9', 'v:10', 'v:"1"']],
    [
      'booleans after text, null last',
      ['v:null', 'v:true', 'v:false', 'v:"x"'],
      ['v:"x"', 'v:false', 'v:true', 'v:null'],
    ],
    [
      'lists and maps between booleans and null',
      ['v:null', 'v:{"a":1}', 'v:[2]', 'v:[1,2]', 'v:true'],
      ['v:true', 'v:[1,2]', 'v:[2]', 'v:{"a":1}', 'v:null'],
    ],
    [
      'keys by name, then by value',
      ['k:{"b":1}', 'k:{"a":2}', 'k:{"a":10}', 'k:{"a":2,"b":1}'],
      ['k:{"a":2}', 'k:{"a":2,"b":1}', 'k:{"a":10}', 'k:{"b":1}'],
    ],
    ['positions', ['i:10', 'i:9'], ['i:9', 'i:10']],
  ])('sorts %s', (_name, elements, sorted) => {
    expect(sortElements(elements)).toEqual(sorted);
  });
});

describe('Go texts', () => {
  it.each([
    ['plain', '"plain"'],
    ['\u2028\u2029', '"\\u2028\\u2029"'],
    ['\ud800', '"\\ufffd"'],
    ['é😀', '"é😀"'],
    ['"\\', '"\\"\\\\"'],
  ])('writes %j as %s', (text, json) => {
    expect(goJsonString(text)).toBe(json);
  });

  it('prints integers exactly before they are stored', () => {
    expect(elementText(keyElement({ a: 9007199254740993n }), 'exactly')).toBe('[a=9007199254740993]');
  });

  it('writes integers exactly, and short escapes only in documents', () => {
    expect(goJson({ b: 9007199254740993n, a: '\b\f' }, 'document')).toBe('{"a":"\\b\\f","b":9007199254740993}');
    expect(goJson({ b: 9007199254740993n, a: '\b\f' })).toBe('{"a":"\\u0008\\u000c","b":9007199254740993}');
  });

  it.each([
    [1, '1'],
    ['a"', '"a\\""'],
    [null, 'interface {}(nil)'],
    [[1, 'a'], '[]interface {}{1, "a"}'],
    [{ b: true, a: { c: 1.5 } }, 'map[string]interface {}{"a":map[string]interface {}{"c":1.5}, "b":true}'],
  ])('prints %j in Go syntax', (value, text) => {
    expect(goSyntax(value)).toBe(text);
  });
});
