import type { LedgerCommand } from '@gateway/contracts/ledger';

/**
 * The records a rule will read, so that they can be loaded before it runs. With a dispute its deposit is loaded too.
 */
export function referencedIds(command: LedgerCommand): string[] {
  switch (command.kind) {
    case 'credit-deposit':
    case 'release-pending':
      return [command.depositId];
    case 'debit-payout':
    case 'settle-payout':
    case 'reverse-payout':
    case 'redebit-payout':
    case 'return-payout':
      return [command.payoutId];
    case 'refund-deposit':
    case 'reverse-refund':
    case 'redebit-refund':
      return [command.depositId, command.refundId];
    case 'hold-receipt':
    case 'return-receipt':
      return [command.refundId];
    case 'block-dispute':
      return [command.depositId, command.disputeId];
    case 'extend-dispute':
    case 'release-dispute':
    case 'return-dispute':
    case 'overturn-dispute':
    case 'lapse-dispute':
      return [command.disputeId];
    case 'convert':
    case 'book-trade':
    case 'provider-fee':
    case 'own-funds':
    case 'adjust':
      return [];
  }
}
