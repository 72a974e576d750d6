import { z } from 'zod';
import { commandIdSchema, detailsOf, ledgerCommandSchema } from '@gateway/contracts';
import { requestOf, type LedgerRequest } from '#src/chain/canonical-request.ts';

export type Reading =
  | { readonly ok: true; readonly request: LedgerRequest }
  | {
      readonly ok: false;
      readonly reason: string;
      /** The first member at fault, and the id to answer to, as far as the message has them. */
      readonly field: string | null;
      readonly commandId: string | null;
    };

const identified = z.object({ id: commandIdSchema });

/** Reads a message of one environment's stream. What does not decode, or belongs to the other universe, has a reason. */
export function readCommand(text: string, environment: string): Reading {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'the message is not JSON', field: null, commandId: null };
  }
  const parsed = ledgerCommandSchema.safeParse(data);
  if (parsed.success && parsed.data.environment === environment) {
    return { ok: true, request: requestOf(parsed.data) };
  }
  const commandId = identified.safeParse(data).data?.id ?? null;
  if (parsed.success) {
    const reason = `a ${parsed.data.environment} command arrived on the ${environment} stream`;
    return { ok: false, reason, field: 'environment', commandId };
  }
  const [first] = detailsOf(parsed.error);
  const reason = first ? `${first.path} ${first.message}`.trim() : 'not a command';
  return { ok: false, reason, field: first?.path || null, commandId };
}
