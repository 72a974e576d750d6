import type { SqlMigration } from '@gateway/persistence';

/**
 * Whether money counts already for another deposit, or goes back. It waits for whoever sorts out the same transfer, and each
 * of its statements sees what that has become: a statement around it began before, and would not.
 */
export const paymentsInOneStatement: SqlMigration = {
  name: '0029-payments-in-one-statement',
  sql: `
    create function counts_elsewhere(of_environment text, of_provider text, name text, of_deposit text)
    returns boolean language plpgsql volatile as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended(
        'transfer ' || of_environment || ' ' || of_provider || ' ' || name, 0));
      return exists (select from orphan_receipt
          where environment = of_environment and provider = of_provider and e2e_id = name)
        or exists (select from payment
          where environment = of_environment and provider = of_provider and e2e_id = name
            and deposit_id <> of_deposit)
        or exists (select from transfer
          where environment = of_environment and provider = of_provider and e2e_id = name);
    end $$;
  `,
};
