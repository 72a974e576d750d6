import { z } from 'zod';

/** Body of `PUT /v1/ip-allowlist` (spec 2.6): IPv4 and IPv6 addresses and CIDR ranges; empty lifts the restriction. */
export const allowlistRequestSchema = z
  .strictObject({
    entries: z.array(z.string()).meta({
      description: 'IPv4 and IPv6 addresses and ranges; none lifts the restriction.',
      examples: [['203.0.113.7', '2001:db8::/32']],
    }),
  })
  .meta({ id: 'IpAllowlistUpdate', description: 'All the addresses from which the key may be used.' });

/** The entries as they are kept: normalised, each once. */
export const allowlistResourceSchema = z
  .object({
    ip_allowlist: z.array(z.string()).meta({
      description: 'The addresses and ranges as they are kept: normalised, each once.',
      examples: [['203.0.113.7', '2001:db8::/32']],
    }),
  })
  .meta({ id: 'IpAllowlist', description: 'The addresses from which the key may be used; none means any.' });
