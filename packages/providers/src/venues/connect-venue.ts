import { z } from 'zod';
import { bitsoConfigSchema } from '#src/bitso/config.ts';
import { bitsoVenue } from '#src/bitso/bitso-venue.ts';
import type { VenueEnvironment } from '#src/bitso/connection.ts';
import type { ExchangeVenue } from '#src/exchange-venue.ts';
import { listVariableSchema } from '#src/secret-files.ts';

const venueConfigSchema = z.discriminatedUnion('kind', [bitsoConfigSchema]);
export type VenueConfig = z.infer<typeof venueConfigSchema>;

/** Exchanges as the ledger is configured with them. Secrets in it are in clear: it never goes to a log. */
export const venuesConfigSchema = z
  .array(venueConfigSchema)
  .refine((configs) => new Set(configs.map(({ id }) => id)).size === configs.length, 'two venues have the same id')
  .refine((configs) => {
    const covered = configs.flatMap(({ currencies }) => currencies);
    return new Set(covered).size === covered.length;
  }, 'two venues cover the same currency');

/** Environment variable `TREASURY_VENUES`: JSON in the form of `venuesConfigSchema`; none without it. */
export const venuesVariableSchema = listVariableSchema('exchanges')
  .pipe(venuesConfigSchema)
  .describe(
    'The exchanges where USDT is bought for live conversions, as JSON; `{ "file": "/path" }` stands for a text in a file.',
  )
  .meta({ secret: true }) satisfies z.ZodType<VenueConfig[]>;

/** Makes the adapter of an exchange; its connections are opened by the first call. */
export function connectVenue(config: VenueConfig, environment: VenueEnvironment): ExchangeVenue {
  return bitsoVenue(config, environment);
}
