/** What the reference ledger remembers of each record. */
export interface ModelDeposit {
  owner: string;
  amount: number;
  pending: number;
  givenBack: number;
}
export interface ModelPayout {
  owner: string;
  amount: number;
  fee: number;
  state: 'debited' | 'settled' | 'reversed';
  returned: number;
  missing: number;
}
export interface ModelRefund {
  owner: string;
  depositId: string;
  amount: number;
  state: 'reserved' | 'reversed' | 'redebited' | 'held' | 'returned';
  missing: number;
}
export interface ModelDispute {
  id: string;
  owner: string;
  depositId: string;
  claimed: number;
  blocked: number;
  missing: number;
  gone: number;
  until: number;
  state: 'open' | 'won' | 'lost';
}
