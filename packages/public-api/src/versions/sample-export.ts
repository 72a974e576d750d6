import type { Export } from '@gateway/contracts/exports';

/** A file of a month, complete. */
export const exported: Export = {
  id: 'exp_01k9z3m4v6t8x0a2c4e6g8jk19',
  environment: 'live',
  accountId: 'acc_01k9z3m4v6t8x0a2c4e6g8jk01',
  externalId: 'january',
  kind: 'statement',
  format: 'ofx',
  currency: 'BRL',
  fromDate: '2026-01-01',
  toDate: '2026-01-31',
  zone: 'America/Sao_Paulo',
  status: 'COMPLETED',
  failure: null,
  rows: 5,
  opening: 100_000,
  closing: 99_250,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  checkpoint: null,
  createdAt: 1_769_914_800,
  completedAt: 1_769_914_807,
  expiresAt: 1_770_519_607,
};
/** What it does not have until it is complete. */
export const begun = { rows: null, opening: null, closing: null, sha256: null, completedAt: null, expiresAt: null };
