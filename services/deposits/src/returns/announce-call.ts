import type { RoutingDependencies } from '#src/routing/dependencies.ts';
import { returnLeaseMs } from '#src/returns/send-back.ts';

const announceStatements = {
  refund: `update refund set call_started_at = $2, called_at = coalesce(called_at, $2), next_attempt_at = $3
    where id = $1 and state = 'SENDING' and call_started_at is null and provider_ref is null returning id`,
  orphan_receipt: `update orphan_receipt set call_started_at = $2, called_at = coalesce(called_at, $2), next_attempt_at = $3
    where id = $1 and state = 'RETURNING' and call_started_at is null and provider_ref is null returning id`,
} as const;

/**
 * Commits that a call to send money back is about to be made, and for how long nobody else makes one.
 *
 * @returns when it was announced; null where somebody else has announced one, the provider has it already, or it has ended
 */
export async function announceCall(
  { database, now }: RoutingDependencies,
  record: keyof typeof announceStatements,
  { id }: { readonly id: string },
): Promise<Date | null> {
  const at = now();
  const leaseUntil = new Date(at.getTime() + returnLeaseMs);
  const announced = await database.query(announceStatements[record], [id, at, leaseUntil]);
  return announced.length === 1 ? at : null;
}

/** True while the process that announced a call may still be waiting for its outcome. */
export function isCallUnderWay({ callStartedAt }: { readonly callStartedAt?: Date | null }, now: Date): boolean {
  return callStartedAt ? now.getTime() < callStartedAt.getTime() + returnLeaseMs : false;
}
