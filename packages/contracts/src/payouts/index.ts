export * from '#src/payouts/events.ts';
export * from '#src/payouts/failure-reason.ts';
export * from '#src/payouts/money-record-rpc.ts';
export * from '#src/payouts/operator-payout.ts';
export * from '#src/payouts/operator-rpc.ts';
export * from '#src/payouts/payout-return.ts';
export * from '#src/payouts/payout.ts';
export * from '#src/payouts/rpc.ts';
