export * from '#src/identity/permission.ts';
