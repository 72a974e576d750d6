import type { Session } from '../calls/session.ts';
import { UsageError } from '../faults/errors.ts';
import { drawnQr } from '../output/qr.ts';
import { callOperation } from './call.ts';

/** Calls an operation that answers with a deposit, and draws its code for a camera on standard error. */
export async function drawnDeposit(session: Session, call: Parameters<typeof callOperation>[1]): Promise<void> {
  const deposit = await callOperation(session, call);
  const { id }: { readonly id?: unknown } = deposit ?? {};
  if (typeof id !== 'string') throw new UsageError('the answer has no deposit to draw');
  const options = { signal: session.signal };
  session.output.talk(drawnQr(await session.gateway().deposits.qrSvg(id, options)));
}
