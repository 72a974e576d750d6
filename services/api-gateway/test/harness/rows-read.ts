import type { Database } from '@gateway/persistence';

interface Node {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** How many rows a statement takes from its tables and indexes, whether it answers them or not. */
export async function rowsReadBy(database: Database, sql: string, values: readonly unknown[]): Promise<number> {
  const [explained] = await database.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>(
    `explain (analyze, format json) ${sql}`,
    [...values],
  );
  return explained ? readBy(explained['QUERY PLAN'][0].Plan) : 0;
}

function readBy(node: Node): number {
  const { Plans: below = [] } = node;
  const own = node['Node Type'].includes('Scan') && below.length === 0 ? rowsOf(node) : 0;
  return below.reduce((sum, each) => sum + readBy(each), own);
}

function rowsOf(node: Node): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}
