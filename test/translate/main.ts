import { parseArgs } from 'node:util';
import { roundTrip } from '@capstan/translate/testing';

/** `npm run test:translate -- [--documents 1000000] [--seed N]` */
const { values } = parseArgs({ options: { documents: { type: 'string' }, seed: { type: 'string' } } });
const documents = Number(values.documents ?? 1_000_000);
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
let broken = 0;
for (let index = 0; index < documents && broken < 10; index += 1) {
  const failure = roundTrip(seed + index);
  if (failure !== undefined) {
    broken += 1;
    process.stdout.write(`${JSON.stringify(failure, null, 2)}\n`);
  }
  if ((index + 1) % 50_000 === 0) process.stdout.write(`${index + 1} documents\n`);
}
process.stdout.write(`seed ${seed}: ${documents} documents there and back, ${broken} broken\n`);
process.exitCode = broken === 0 ? 0 : 1;
