import type { Database } from '@gateway/persistence';

/** By what a list of disputes selects: providers do not document it, so it can be set (`POST /control/disputes`). */
export type ListedBy = 'change' | 'creation';

const settingName = 'disputes_listed_by';

const columns = { change: 'd.changed_at', creation: 'd.opened_at' } as const satisfies Record<ListedBy, string>;

/** The column lists of disputes select and sort by. */
export async function listedByColumn(database: Database): Promise<string> {
  const [row] = await database.query<{ value: string }>('select value from setting where name = $1', [settingName]);
  return row?.value === 'creation' ? columns.creation : columns.change;
}

export async function setListedBy(database: Database, listedBy: ListedBy): Promise<void> {
  await database.query(
    'insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [settingName, listedBy],
  );
}
