import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { expect, test } from 'vitest';
import { EntityColumns } from '#src/entity-columns.ts';

const Parcel = defineEntity({
  name: 'Parcel',
  tableName: 'parcel',
  properties: {
    id: p.string().primary(),
    weightGrams: p.bigint('number'),
    isFragile: p.boolean(),
    sentAt: p.datetime(3).nullable(),
    labels: p.json<string[]>().nullable(),
  },
});
type ParcelRow = Readonly<Omit<InferEntity<typeof Parcel>, symbol>>;

test('names, types and absent members of a statement follow from the entity', () => {
  const columns = new EntityColumns<ParcelRow>(Parcel);
  expect(columns.listOf(columns.members)).toBe('id, weight_grams, is_fragile, sent_at, labels');
  expect(columns.selectedFrom('parcel')).toContain('parcel.weight_grams as "weightGrams"');
  expect(columns.assignedFrom('row', ['sentAt'])).toBe('sent_at = row."sentAt"');
  expect(columns.absent).toEqual({ sentAt: null, labels: null });
  expect(columns.arraysOf(columns.members).from(1, 'row')).toBe(
    '(select * from unnest($1::text[], $2::bigint[], $3::boolean[], $4::timestamptz[], $5::jsonb[]) as row ' +
      '("id", "weightGrams", "isFragile", "sentAt", "labels") limit cardinality($1::text[])) as row',
  );
});

test('a column that a statement cannot carry is refused where its entity is described', () => {
  const Odd = defineEntity({ name: 'Odd', tableName: 'odd', properties: { id: p.string().primary(), at: p.time() } });
  expect(() => new EntityColumns(Odd)).toThrow('the property at');
});
