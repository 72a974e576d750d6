export * from '#src/write/camt053.ts';
export * from '#src/write/cnab240.ts';
export * from '#src/write/csv-cell.ts';
export * from '#src/write/csv.ts';
export * from '#src/write/format.ts';
export * from '#src/write/ofx.ts';
