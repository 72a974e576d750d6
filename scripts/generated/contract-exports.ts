import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { CommandContract, EventContract, RpcContract } from '@gateway/contracts';
import { repositoryRoot } from '../checks/repository.ts';

export type Contract = EventContract | CommandContract | RpcContract;

export interface ContractExports {
  readonly contracts: ReadonlyMap<string, Contract>;
  /** Exported schemas under the name of their type: `depositSchema` is `Deposit`. */
  readonly types: ReadonlyMap<string, z.ZodType>;
}

/**
 * What `@gateway/contracts` exports. Loaded by its path: a plain `import *` would count as a use of every export, and
 * the dead-code check would never find one again.
 */
export async function loadContractExports(): Promise<ContractExports> {
  const index = pathToFileURL(join(repositoryRoot, 'packages/contracts/src/index.ts'));
  const contracts = new Map<string, Contract>();
  const types = new Map<string, z.ZodType>();
  for (const [name, value] of Object.entries((await import(index.href)) as Record<string, unknown>)) {
    if (isContract(value)) contracts.set(name, value);
    else if (value instanceof z.ZodType) types.set(typeNameOf(name), value);
  }
  return { contracts, types };
}

function typeNameOf(schemaName: string): string {
  return schemaName.charAt(0).toUpperCase() + schemaName.slice(1).replace(/Schema$/, '');
}

function isContract(value: unknown): value is Contract {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('owner' in value)) return false;
  return ['event', 'command', 'rpc'].includes(String(value.kind));
}
