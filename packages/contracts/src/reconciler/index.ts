export * from '#src/reconciler/csv-mapping.ts';
export * from '#src/reconciler/exception.ts';
export * from '#src/reconciler/exception-rpc.ts';
export * from '#src/reconciler/explained-rpc.ts';
export * from '#src/reconciler/item.ts';
export * from '#src/reconciler/line-rpc.ts';
export * from '#src/reconciler/statement-file.ts';
