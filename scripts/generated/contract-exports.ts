import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { CommandContract, EventContract, RpcContract } from '@gateway/contracts/messages';
import { repositoryRoot } from '../checks/repository.ts';

export type Contract = EventContract | CommandContract | RpcContract;

export interface ContractExports {
  readonly contracts: ReadonlyMap<string, Contract>;
  /** Exported schemas under the name of their type: `depositSchema` is `Deposit`. */
  readonly types: ReadonlyMap<string, z.ZodType>;
}

/**
 * What the modules of `@gateway/contracts` export. Loaded by their paths: a plain `import *` would count as a use of every export, and
 * the dead-code check would never find one again.
 */
export async function loadContractExports(): Promise<ContractExports> {
  const contracts = new Map<string, Contract>();
  const types = new Map<string, z.ZodType>();
  for (const entry of await entryPoints()) {
    for (const [name, value] of Object.entries((await import(entry)) as Record<string, unknown>)) {
      if (isContract(value)) contracts.set(name, value);
      else if (value instanceof z.ZodType) types.set(typeNameOf(name), value);
    }
  }
  return { contracts, types };
}

/** The address of each module that the packages' `exports` name: amounts and ids, and one for each owner of messages. */
async function entryPoints(): Promise<string[]> {
  const folders = ['packages/money', 'packages/contracts'].map((folder) => join(repositoryRoot, folder));
  const entries = folders.map(async (folder) => {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      exports: Record<string, string>;
    };
    return Object.values(manifest.exports).map((path) => pathToFileURL(join(folder, path)).href);
  });
  return (await Promise.all(entries)).flat();
}

function typeNameOf(schemaName: string): string {
  return schemaName.charAt(0).toUpperCase() + schemaName.slice(1).replace(/Schema$/, '');
}

function isContract(value: unknown): value is Contract {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('owner' in value)) return false;
  return ['event', 'command', 'rpc'].includes(String(value.kind));
}
