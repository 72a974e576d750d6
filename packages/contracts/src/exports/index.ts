export * from '#src/exports/events.ts';
export * from '#src/exports/export.ts';
