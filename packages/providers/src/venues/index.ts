export * from '#src/exact-decimal.ts';
export type * from '#src/exchange-venue.ts';
export { connectVenue, venuesConfigSchema, venuesVariableSchema } from '#src/venues/connect-venue.ts';
