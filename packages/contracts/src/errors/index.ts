export * from '#src/errors/domain-error.ts';
export * from '#src/errors/error-body.ts';
export * from '#src/errors/error-table.ts';
