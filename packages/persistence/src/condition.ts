/** A condition of a statement; each `?` stands for the next of its values. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** One condition, or none where a value is undefined: what was not asked for does not narrow. */
export function wanted(sql: string, ...values: readonly unknown[]): readonly Condition[] {
  return values.includes(undefined) ? [] : [{ sql, values }];
}

/** Whose records they are: unlike what is wanted, a condition in any case. */
export function ownedBy(owner: { readonly environment: string; readonly accountId: string }): Condition {
  return { sql: 'environment = ? and account_id = ?', values: [owner.environment, owner.accountId] };
}

/** The conditions joined by `and`; their values are added to `params`, which is where `$1` and so on point to. */
export function allOf(conditions: readonly Condition[], params: unknown[]): string {
  const texts = conditions.map(({ sql, values }) => {
    const left = values[Symbol.iterator]();
    return sql.replaceAll('?', () => `$${params.push(left.next().value)}`);
  });
  return texts.length === 0 ? 'true' : texts.join(' and ');
}
