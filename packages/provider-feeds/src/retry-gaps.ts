import type { Environment } from '@gateway/contracts/values';
import type { FeedOf } from '#src/feed-source.ts';
import { ask } from '#src/ask.ts';
import { storeRows, type Reading } from '#src/read-feed.ts';

const gapsMax = 5;
const pagesMax = 20;
const retryMs = 3_600_000;
const timeoutMs = 20_000;

interface Gap {
  readonly environment: Environment;
  readonly provider: string;
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
  readonly place: string;
}

/** Reads the parts of lists once more that could not be parsed; one that can be now is closed. */
export async function retryGaps(reading: Reading, feeds: readonly FeedOf[]): Promise<void> {
  const { database, now } = reading;
  const gaps = await database.query<Gap>(
    `update poll_gap set attempts = attempts + 1, next_attempt_at = $2
     where (environment, provider, name, from_at, to_at, place) in (
       select environment, provider, name, from_at, to_at, place from poll_gap where next_attempt_at <= $1
       order by next_attempt_at limit $3 for update skip locked)
     returning environment, provider, name, from_at as "from", to_at as "to", place`,
    [now(), new Date(now().getTime() + retryMs), gapsMax],
  );
  for (const gap of gaps) {
    const feed = feeds.find(
      ({ environment, provider, source }) =>
        environment === gap.environment && provider === gap.provider && source.name === gap.name,
    );
    if (feed) await retryGap(reading, feed, gap);
  }
}

/** The whole window: places may have moved since, and what is known already is not kept twice. */
async function retryGap(reading: Reading, { source }: FeedOf, gap: Gap): Promise<void> {
  const { database, logger, onItems } = reading;
  const { environment, provider, name, from, to } = gap;
  const signal = AbortSignal.timeout(timeoutMs);
  let place: string | null = null;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page = await ask(source, { from, to, place, pageItems: null }, { signal });
    if (page.kind !== 'page') return;
    const { rows } = page;
    const key = { environment, provider, feed: name };
    if ((await database.transaction((tx) => storeRows(reading, tx, key, rows))) > 0) onItems();
    place = page.next;
    if (place === null) break;
  }
  if (place !== null) return;
  await database.query(
    'delete from poll_gap where environment = $1 and provider = $2 and name = $3 and from_at = $4 and to_at = $5',
    [environment, provider, name, from, to],
  );
  logger.info({ environment, provider, feed: name, from, to }, 'a gap of a list has been read');
}
