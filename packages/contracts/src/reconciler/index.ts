export * from '#src/reconciler/exception.ts';
export * from '#src/reconciler/item.ts';
