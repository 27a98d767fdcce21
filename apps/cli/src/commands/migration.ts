import type { Command } from 'commander';
import { addExamples } from '../options.js';
import type { Context } from '../context.js';
import { addRehearse } from './rehearse.js';

/** `capstan migration` */
export function addMigration(program: Command, context: Context): void {
  const migration = program
    .command('migration')
    .description('Migrate hosted clusters to private Cluster API types, and watch, steer or undo that.');
  addExamples(migration, [['capstan migration rehearse', 'Migrate a copy first, and see what would happen']]);
  addRehearse(migration, context);
}
