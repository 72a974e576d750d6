import { z } from 'zod';

const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const farPast = new Date('2020-01-01T00:00:00Z');
const farFuture = new Date('2100-01-01T00:00:00Z');

/** What a list shows at once; the lists of transactions and disputes describe no parameter for another page. */
export const itemsPerPage = 100;

/** The period of Woovi's lists of transactions and disputes; all of it optional. */
export const windowSchema = z.object({
  start: instantSchema.default(farPast),
  end: instantSchema.default(farFuture),
});

export function presentPageInfo(hasNextPage: boolean): object {
  return { skip: 0, limit: itemsPerPage, hasPreviousPage: false, hasNextPage };
}
