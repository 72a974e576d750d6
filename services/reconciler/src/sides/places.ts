import type { Database, Tx } from '@gateway/persistence';

/** How far a reader has come; committed with what it read. */
export async function readPlace<Place>(database: Database, name: string): Promise<Place | undefined> {
  const [row] = await database.query<{ place: Place }>(
    'select place from reading where name = $1',
    [name],
    'read-place',
  );
  return row?.place;
}

/** Another process has read the same, and entered it. */
export class PlaceMovedError extends Error {
  constructor(name: string) {
    super(`another process has moved the place of ${name}`);
  }
}

/** One reader at a time moves its place; another one that began from the same place is refused. */
export async function movePlace<Place extends object>(
  tx: Tx,
  { name, from, to }: { readonly name: string; readonly from: Place | undefined; readonly to: Place },
): Promise<void> {
  const moved = await tx.sql(
    `insert into reading (name, place, read_at) values ($1, $2::jsonb, now())
     on conflict (name) do update set place = excluded.place, read_at = excluded.read_at
       where reading.place = $3::jsonb
     returning name`,
    [name, JSON.stringify(to), from === undefined ? null : JSON.stringify(from)],
  );
  if (moved.length === 0) throw new PlaceMovedError(name);
}
