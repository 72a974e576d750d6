import type { SqlMigration } from '@gateway/persistence';

/** Why an operator refused a payout, in the operator's own words: for other operators, never for the merchant. */
export const decisionReason: SqlMigration = {
  name: '0006-decision-reason',
  sql: 'alter table payout add column decision_reason text check (char_length(decision_reason) between 1 and 500);',
};
