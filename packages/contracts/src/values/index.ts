export * from '#src/values/environment.ts';
export * from '#src/values/language.ts';
export * from '#src/values/list-window.ts';
export * from '#src/values/record-filter.ts';
export * from '#src/values/request-text.ts';
export * from '#src/values/shown-page.ts';
export * from '#src/values/unix-seconds.ts';
