import type { RuleEngine } from './rule-engine.js';
export const celEngine: RuleEngine = {
  compileRule: () => ({ error: 'none' }),
  compileMessage: () => ({ error: 'none' }),
};
