export type * from '#src/statement.ts';
