export * from '#src/accounts/account.ts';
export * from '#src/accounts/adjustment-rpc.ts';
export * from '#src/accounts/freeze.ts';
export * from '#src/accounts/key-scope.ts';
export * from '#src/accounts/signals.ts';
