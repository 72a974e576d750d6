import { types, type EntitySchema } from '@mikro-orm/core';
import { RowArrays, type ColumnType } from '#src/row-arrays.ts';

const columnTypes = new Map<unknown, ColumnType>([
  [types.string, 'text'],
  [types.text, 'text'],
  [types.integer, 'integer'],
  [types.bigint, 'bigint'],
  [types.boolean, 'boolean'],
  [types.json, 'jsonb'],
  [types.datetime, 'timestamptz'],
]);

type NullableMember<Row> = { [Member in keyof Row]-?: null extends Row[Member] ? Member : never }[keyof Row];

/** The columns of an entity, in the order of its properties: the one description from which the statements of its table are made. */
export class EntityColumns<Row extends object> {
  readonly members: readonly (keyof Row & string)[];
  /** Null for every member that may be absent: what a new row begins with. */
  readonly absent: Readonly<Record<NullableMember<Row>, null>>;
  readonly #types: ReadonlyMap<string, ColumnType>;

  /** @throws Error for a property whose type has no column type here */
  constructor(entity: EntitySchema) {
    const properties = Object.entries<{ readonly type?: unknown; readonly nullable?: boolean }>(entity.meta.properties);
    this.members = properties.map(([member]) => member as keyof Row & string);
    this.#types = new Map(properties.map(([member, { type }]) => [member, columnTypeOf(member, type)]));
    const nullable = properties.filter(([, property]) => property.nullable === true);
    this.absent = Object.fromEntries(nullable.map(([member]) => [member, null])) as typeof this.absent;
  }

  /** All members but some. */
  membersWithout(some: readonly (keyof Row & string)[]): readonly (keyof Row & string)[] {
    return this.members.filter((member) => !some.includes(member));
  }

  /** The name of a member's column. */
  nameOf(member: keyof Row & string): string {
    return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }

  /** For `insert into`: the columns of some members. */
  listOf(members: readonly (keyof Row & string)[]): string {
    return members.map((member) => this.nameOf(member)).join(', ');
  }

  /** For `select` and `returning`: all columns, or those of some members, under the names of the members. */
  selectedFrom(table: string, members = this.members): string {
    return members.map((member) => `${table}.${this.nameOf(member)} as "${member}"`).join(', ');
  }

  /** For `set`: the columns of some members, from an alias. */
  assignedFrom(alias: string, members: readonly (keyof Row & string)[]): string {
    return members.map((member) => `${this.nameOf(member)} = ${alias}."${member}"`).join(', ');
  }

  /** Some members of many rows, as the parameters of one statement. */
  arraysOf(members: readonly (keyof Row & string)[]): RowArrays<keyof Row & string> {
    return new RowArrays(members.map((member) => [member, this.#types.get(member) ?? 'text'] as const));
  }
}

function columnTypeOf(member: string, type: unknown): ColumnType {
  const known = columnTypes.get(type) ?? columnTypes.get((type as object | undefined)?.constructor);
  if (!known) throw new Error(`the property ${member} has a type without a column type`);
  return known;
}
