import type { SqlMigration } from '@gateway/persistence';

/**
 * The account as its statements show it. The database writes an entry with whatever moves money, so that no route can leave
 * one out; entries are never changed by what happens later, as on a real account.
 */
export const accountEntries: SqlMigration = {
  name: '0007-account-entries',
  sql: `
    create table account_entry (
      id bigint generated always as identity primary key,
      dialect text not null,
      kind text not null check (kind in
        ('payment', 'refund', 'payout', 'return', 'med_return', 'overturn', 'fee', 'own_transfer')),
      -- Negative where money left the account.
      amount bigint not null check (amount <> 0),
      booked_at timestamptz not null,
      -- Of the payment received or sent.
      e2e_id text,
      return_id text,
      -- The integrator's own: charge, refund or transfer.
      reference text collate "C",
      payer_or_payee text,
      -- The row that moved the money: received_payment, refund or transfer.
      source_id bigint,
      -- What a statement shows instead.
      shown_amount bigint check (shown_amount <> 0),
      shown_times integer not null default 1 check (shown_times between 0 and 2),
      shown_at timestamptz,
      hidden_until timestamptz
    );
    create index account_entry_time on account_entry (dialect, (coalesce(shown_at, booked_at)), id);
    create index account_entry_names on account_entry (e2e_id);
    create table account_fee (
      dialect text primary key,
      received bigint not null check (received >= 0),
      sent bigint not null check (sent >= 0)
    );

    create function enter_fee(of_dialect text, of_operation text, at timestamptz, e2e text) returns void
    language sql as $$
      insert into account_entry (dialect, kind, amount, booked_at, e2e_id)
        select dialect, 'fee', -price, at, e2e
          from (select dialect, case of_operation when 'received' then received else sent end as price
                  from account_fee where dialect = of_dialect) as fee
         where price > 0
    $$;

    create function enter_payment() returns trigger language plpgsql as $$
    begin
      insert into account_entry (dialect, kind, amount, booked_at, e2e_id, reference, payer_or_payee, source_id)
        select new.dialect, 'payment', new.amount, new.paid_at, new.e2e_id, reference, new.payer ->> 'document', new.id
          from charge where id = new.charge_id;
      perform enter_fee(new.dialect, 'received', new.paid_at, new.e2e_id);
      return null;
    end $$;
    create trigger enter_payment after insert on received_payment for each row execute function enter_payment();

    create function enter_refund() returns trigger language plpgsql as $$
    declare
      is_med boolean := new.nature like 'MED%';
    begin
      if new.status = 'DONE' and (tg_op = 'INSERT' or old.status <> 'DONE') then
        insert into account_entry (dialect, kind, amount, booked_at, e2e_id, return_id, reference, source_id)
          select dialect, case when is_med then 'med_return' else 'refund' end, -new.amount, new.settled_at, e2e_id,
                 new.return_id, new.reference, new.id
            from received_payment where id = new.payment_id;
      elsif tg_op = 'UPDATE' and old.status = 'DONE' and new.status = 'FAILED' then
        insert into account_entry (dialect, kind, amount, booked_at, e2e_id, return_id, reference, source_id)
          select p.dialect, 'overturn', old.amount, coalesce(d.changed_at, old.settled_at), p.e2e_id, old.return_id,
                 old.reference, old.id
            from received_payment p left join dispute d on d.payment_id = p.id where p.id = old.payment_id;
      end if;
      return null;
    end $$;
    create trigger enter_refund after insert or update of status on refund for each row execute function enter_refund();

    create function enter_transfer() returns trigger language plpgsql as $$
    begin
      if new.status = 'PAID' and (tg_op = 'INSERT' or old.status <> 'PAID') then
        insert into account_entry (dialect, kind, amount, booked_at, e2e_id, reference, payer_or_payee, source_id)
          values (new.dialect, 'payout', -new.amount, new.settled_at, new.e2e_id, new.reference, new.destination_key, new.id);
        perform enter_fee(new.dialect, 'sent', new.settled_at, new.e2e_id);
      end if;
      return null;
    end $$;
    create trigger enter_transfer after insert or update of status on transfer for each row execute function enter_transfer();

    create function enter_return() returns trigger language plpgsql as $$
    begin
      insert into account_entry (dialect, kind, amount, booked_at, e2e_id, return_id, reference, source_id)
        select dialect, 'return', new.amount, new.returned_at, e2e_id, new.return_id, reference, id
          from transfer where id = new.transfer_id;
      return null;
    end $$;
    create trigger enter_return after insert on transfer_return for each row execute function enter_return();

    -- A payment or transfer that is made older takes its entry with it.
    create function age_entry() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'received_payment' then
        update account_entry set booked_at = new.paid_at where e2e_id = new.e2e_id and kind in ('payment', 'fee');
      else
        update account_entry set booked_at = new.settled_at where e2e_id = new.e2e_id and kind in ('payout', 'fee');
      end if;
      return null;
    end $$;
    create trigger age_payment after update of paid_at on received_payment for each row
      when (new.paid_at <> old.paid_at) execute function age_entry();
    create trigger age_transfer after update of settled_at on transfer for each row
      when (old.settled_at is not null and new.settled_at <> old.settled_at) execute function age_entry();
  `,
};
