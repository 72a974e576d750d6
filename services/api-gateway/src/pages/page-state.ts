import type { Deposit } from '@gateway/contracts/deposits';

/** What a payer has to know of a deposit. */
export type PageState = 'waiting' | 'partial' | 'paid' | 'refunded' | 'expired' | 'canceled';

export function pageStateOf({ status, received }: Pick<Deposit, 'status' | 'received'>): PageState {
  switch (status) {
    case 'PENDING':
      return received > 0 ? 'partial' : 'waiting';
    case 'PAID':
      return 'paid';
    case 'REFUNDED':
      return 'refunded';
    case 'EXPIRED':
      return 'expired';
    case 'FAILED':
      return 'canceled';
  }
}

/** True while the page has something to wait for. */
export function isOpen(state: PageState): boolean {
  return state === 'waiting' || state === 'partial';
}
