import { z } from 'zod';
import { commandIdSchema, detailsOf, ledgerCommand, ledgerCommandSchema } from '@gateway/contracts';
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

/** A message of one environment's stream, and the subject it was published on. */
export interface CommandMessage {
  readonly text: string;
  readonly environment: string;
  readonly subject: string;
  /** The stream the broker repeated it from, by itself: no sender has published it here. */
  readonly repeatedFrom: string | undefined;
}

/**
 * Reads a message as a command. What does not decode, belongs to the other universe, or came on the subject of another
 * kind has a reason. The broker lets each sender publish the kinds that are its own, and knows them by the subject alone:
 * a command that says another kind than its subject may be from anybody, so it is answered nothing.
 */
export function readCommand({ text, environment, subject, repeatedFrom }: CommandMessage): Reading {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'the message is not JSON', field: null, commandId: null };
  }
  if (repeatedFrom !== undefined) return unauthorised(`the broker repeated the message from stream ${repeatedFrom}`);
  const parsed = ledgerCommandSchema.safeParse(data);
  if (!parsed.success) {
    const commandId = identified.safeParse(data).data?.id ?? null;
    const [first] = detailsOf(parsed.error);
    const reason = first ? `${first.path} ${first.message}`.trim() : 'not a command';
    return { ok: false, reason, field: first?.path || null, commandId };
  }
  const command = parsed.data;
  if (command.environment !== environment) {
    const reason = `a ${command.environment} command arrived on the ${environment} stream`;
    return { ok: false, reason, field: 'environment', commandId: command.id };
  }
  if (ledgerCommand.subjectFor(command) !== subject) {
    return unauthorised(`a ${command.kind} command arrived on ${subject}, where its sender does not send it`);
  }
  // A decision is kept under the id for ever, so nobody may use up those of another sender.
  if (!command.id.startsWith(`${command.kind}:`)) {
    return unauthorised(`a ${command.kind} command has the id of another kind, ${command.id}`);
  }
  return { ok: true, request: requestOf(command) };
}

function unauthorised(reason: string): Reading {
  return { ok: false, reason, field: null, commandId: null };
}
