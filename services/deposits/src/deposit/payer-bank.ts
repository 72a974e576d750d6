import { readFile, stat } from 'node:fs/promises';
import type { PayerDetails } from '@gateway/contracts/deposits';
import { ispbOfEndToEndId, type Participants, readParticipants, shippedParticipants } from '@gateway/pix';
import { type Logger, startLoop } from '@gateway/runtime';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';

const reloadIntervalMsDefault = 10_000;

/** Reference data of the process, as time zones are: every deposit is shown with the names of today. */
let participants: Participants = shippedParticipants();

/**
 * What is known of the account that paid, with its bank. A provider that names the bank is believed; of another one the
 * ISPB is read from the end-to-end id, and the name from the table of participants. An unknown ISPB has no name.
 */
export function payerDetailsWithBank({
  payerDetails,
  e2eId,
  paymentMethod,
}: Pick<DepositRow, 'payerDetails' | 'e2eId' | 'paymentMethod'>): PayerDetails | null {
  if (!payerDetails || paymentMethod !== 'PIX') return payerDetails ?? null;
  const ispb = payerDetails.ispb ?? ispbOfEndToEndId(e2eId ?? '');
  return { ...payerDetails, ispb, bank: payerDetails.bank ?? participants.get(ispb ?? '') ?? null };
}

/**
 * Takes the names from a file instead, and reads it again whenever it has changed. A change that is no table is logged, and
 * the names from before stay.
 *
 * @throws RangeError when it is no table at the start
 */
export async function keepParticipants(
  file: string,
  logger: Logger,
  reloadIntervalMs = reloadIntervalMsDefault,
): Promise<AsyncDisposable> {
  let readAt = await changedAt(file);
  participants = await read(file);
  logger.info({ file, participants: participants.size }, 'participants of PIX were read');
  const loop = startLoop({
    name: 'read participants',
    intervalMs: reloadIntervalMs,
    logger,
    work: async () => {
      const at = await changedAt(file);
      if (at === readAt) return;
      readAt = at;
      participants = await read(file);
      logger.info({ file, participants: participants.size }, 'participants of PIX were read again');
    },
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await loop[Symbol.asyncDispose]();
      participants = shippedParticipants();
    },
  };
}

async function changedAt(file: string): Promise<number> {
  return (await stat(file)).mtimeMs;
}

/** The Banco Central has published its lists in UTF-8 and in the encoding of Windows. */
async function read(file: string): Promise<Participants> {
  const bytes = await readFile(file);
  try {
    return readParticipants(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return readParticipants(new TextDecoder('windows-1252').decode(bytes));
  }
}
