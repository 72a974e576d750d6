import { lockAllMatching } from '#src/matching/lock-matching.ts';

/**
 * Forgets what can be read again, so that the readers and the workers of the running service build it anew: facts and
 * matches, and the places of those who read records, ledger and deliveries. Lines are kept as their provider wrote them,
 * with the places of those who read statements (`statement …`), and so is what people have decided, which holds for the
 * same sums again. A reader that is at work finds that its place has moved, and begins anew; places come first, as with
 * the readers. What was not removed with its month stays as it is: others that it would be compared with are gone. How soon
 * things were explained was counted before, and is not counted again.
 */
export const rebuildScript = `
  begin;
  update reading set place = 'null' where name not like 'statement %';
  ${lockAllMatching};
  create temporary table kept_match on commit drop as
    select match.* from match join kept_months on match.first_seen_at < kept_months.kept_from;
  create temporary table kept_fact on commit drop as
    select fact.* from fact join kept_match using (environment, provider, currency, subject);
  truncate fact, match;
  insert into explained_since (counted_from) values (clock_timestamp())
    on conflict (id) do update set counted_from = excluded.counted_from;
  insert into match select * from kept_match;
  insert into fact select * from kept_fact;
  update line set subject = null, rule = null where subject is not null
    and (environment, provider, currency, subject) not in (select environment, provider, currency, subject from match);
  commit;
`;
