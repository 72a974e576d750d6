import { z } from 'zod';

/** Body of `PUT /v1/ip-allowlist` (spec 2.6): IPv4 and IPv6 addresses and CIDR ranges; empty lifts the restriction. */
export const allowlistRequestSchema = z.strictObject({ entries: z.array(z.string()) });

/** The entries as they are kept: normalised, each once. */
export const allowlistResourceSchema = z.object({ ip_allowlist: z.array(z.string()) });
