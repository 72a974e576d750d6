export * from '#src/conversions/conversion.ts';
export * from '#src/conversions/events.ts';
export * from '#src/conversions/quote.ts';
export * from '#src/conversions/rpc.ts';
export * from '#src/conversions/switch-rpc.ts';
export * from '#src/conversions/treasury-rpc.ts';
