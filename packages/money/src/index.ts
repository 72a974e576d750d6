export * from '#src/ids/id.ts';
export * from '#src/money/currency.ts';
export * from '#src/money/decimal-text.ts';
export * from '#src/money/money.ts';
export * from '#src/money/rail.ts';
