import type { SqlMigration } from '@gateway/persistence';

/**
 * On SPEI the rail's id of a payment may repeat: each bank gives tracking keys out for itself. Where a provider has an id of
 * its own, `e2e_id` of these tables is that id, and the tracking key stands beside it. What was recorded before has no
 * tracking key here and takes the provider's id when it is seen again.
 */
export const trackingKeys: SqlMigration = {
  name: '0026-tracking-keys',
  sql: `
    alter table payment add column tracking_key text collate "C";
    alter table transfer add column tracking_key text collate "C";
    alter table orphan_receipt add column tracking_key text collate "C";
    alter table refund add column tracking_key text collate "C";

    -- While an upgrade replaces one replica after the other, one of the version before must not take a payment for a new one
    -- that is on record by its provider's id: it would credit it again, or send it back.
    create function refuse_known_tracking_key() returns trigger language plpgsql as $$
    begin
      if new.tracking_key is null and (
        exists (select from transfer where tracking_key = new.e2e_id
          and environment = new.environment and provider = new.provider)
        or exists (select from orphan_receipt where tracking_key = new.e2e_id
          and environment = new.environment and provider = new.provider)
      ) then
        raise exception 'a payment with the tracking key % is on record by the id of its provider', new.e2e_id;
      end if;
      return new;
    end $$;
    create trigger transfer_once before insert on transfer
      for each row execute function refuse_known_tracking_key();
    create trigger orphan_receipt_once before insert on orphan_receipt
      for each row execute function refuse_known_tracking_key();
  `,
};
