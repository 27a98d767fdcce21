import { loadYaml } from '@capstan/kube';

let isLoaded = false;

/**
 * Loads what controllers load only when they first need it, before the first step of a simulation. It takes real time,
 * and virtual time would go on meanwhile: the first to need it would be late by as much as the machine is slow.
 */
export async function loadLibraries(): Promise<void> {
  if (isLoaded) return;
  await loadYaml();
  isLoaded = true;
}
