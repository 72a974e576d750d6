import type { Database } from '@gateway/persistence';

/** The database of a process that ends when it is about to write the second time: what the ledger has answered. */
export function endingAtRecord(database: Database): Database {
  let writes = 0;
  return new Proxy(database, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name !== 'transaction' || ++writes < 2) return member.bind(target) as unknown;
      return async () => {
        throw new Error('the process ends here');
      };
    },
  });
}
