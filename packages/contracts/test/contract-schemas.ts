import type { z } from 'zod';
import type { CommandContract, EventContract, RpcContract } from '#src/messages/define.ts';
import manifest from '../package.json' with { type: 'json' };

/** A place where a message of one contract is written and read: its name, and the schema of each part. */
export interface MessageSchema {
  /** The subject; for messages with many subjects, the part they share. Fixtures are named after it. */
  readonly name: string;
  readonly parts: Readonly<Record<string, z.ZodType>>;
}

type Contract = EventContract | CommandContract | RpcContract;
type Exports = Readonly<Record<string, unknown>>;

/**
 * Everything that travels between services. Loaded by its address: `import *` would count as a use of every export, and
 * unused ones would never be found again.
 */
export async function allMessageSchemas(): Promise<MessageSchema[]> {
  const entries = Object.values(manifest.exports).map((path) => new URL(`../${path}`, import.meta.url).href);
  const modules = await Promise.all(entries.map(async (entry) => (await import(entry)) as Exports));
  const exported: Exports = Object.fromEntries(modules.flatMap((module) => Object.entries(module)));
  const { healthRpc, attentionRpc, backlogRpc, messageLagRpc, deadLetterRpcs, serviceNames } = exported as unknown as {
    readonly healthRpc: (service: string) => RpcContract;
    readonly attentionRpc: (service: string) => RpcContract;
    readonly backlogRpc: (service: string) => RpcContract;
    readonly messageLagRpc: (service: string) => RpcContract;
    readonly deadLetterRpcs: (service: string) => Readonly<Record<string, RpcContract>>;
    readonly serviceNames: readonly string[];
  };
  const ofEveryService = serviceNames.flatMap((name) => [
    healthRpc(name),
    attentionRpc(name),
    backlogRpc(name),
    messageLagRpc(name),
    ...Object.values(deadLetterRpcs(name)),
  ]);
  const contracts = [...Object.values(exported).filter(isContract), ...ofEveryService];
  return [...contracts.map(schemaOf), ...messagesWithoutContract(exported)];
}

/** Messages that are no event, command or rpc: hints, and how a refusal travels. */
function messagesWithoutContract(exported: Exports): MessageSchema[] {
  const names = {
    'signal.keys.revoked': 'keyRevokedSchema',
    'signal.keys.changed': 'keyChangedSchema',
    'signal.keys.spent': 'keysSpentSchema',
    'signal.accounts.changed': 'accountChangedSchema',
    'signal.backlog': 'backlogSchema',
    'signal.sessions.revoked': 'sessionsRevokedSchema',
    'signal.people.changed': 'peopleChangedSchema',
    'provider.notification.v1': 'providerNotificationSchema',
    'wire-error': 'wireErrorSchema',
  };
  return Object.entries(names).map(([name, schema]) => ({ name, parts: { payload: exported[schema] as z.ZodType } }));
}

function schemaOf(contract: Contract): MessageSchema {
  switch (contract.kind) {
    case 'event':
      return { name: contract.subject, parts: { payload: contract.payload } };
    case 'command':
      return { name: `command.${contract.owner}.v1`, parts: { payload: contract.payload, reply: contract.reply } };
    case 'rpc':
      return { name: contract.subject, parts: { request: contract.request, reply: contract.reply } };
  }
}

function isContract(value: unknown): value is Contract {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('owner' in value)) return false;
  return ['event', 'command', 'rpc'].includes(String(value.kind));
}
