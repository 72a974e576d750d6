import { z } from 'zod';
import { detailsOf } from '@gateway/contracts/errors';
import { commandIdSchema, ledgerCommand, ledgerCommandSchema } from '@gateway/contracts/ledger';
import { requestOf, type LedgerRequest } from '#src/chain/canonical-request.ts';

export type ParsedCommand =
  | { readonly ok: true; readonly request: LedgerRequest }
  | {
      readonly ok: false;
      readonly reason: string;
      /** The first wrong member and the command's id, as far as the message has them. */
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
 * Parses a message as a command. A message that does not decode, belongs to the other environment, or came on the
 * subject of another kind is none, and has a reason. The broker lets each sender publish its own kinds of command, and
 * distinguishes them by the subject alone: a command of another kind than its subject may come from any sender, so it
 * gets no answer.
 */
export function parseCommand({ text, environment, subject, repeatedFrom }: CommandMessage): ParsedCommand {
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
  // A decision is kept under its id for ever, so no sender may use up the ids of another one.
  if (!command.id.startsWith(`${command.kind}:`)) {
    return unauthorised(`a ${command.kind} command has the id of another kind, ${command.id}`);
  }
  return { ok: true, request: requestOf(command) };
}

function unauthorised(reason: string): ParsedCommand {
  return { ok: false, reason, field: null, commandId: null };
}
