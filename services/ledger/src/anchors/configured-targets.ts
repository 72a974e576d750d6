import { readWitnessKey } from '@gateway/proof';
import type { Database } from '@gateway/persistence';
import type { AnchorTarget } from '#src/anchors/anchor-target.ts';
import { auditorTarget, bucketTarget } from '#src/anchors/bucket.ts';
import { timeStampTarget } from '#src/anchors/time-stamp.ts';
import { trustedCertificates } from '#src/anchors/time-stamp-token.ts';
import { witnessTarget, type WitnessSettings } from '#src/anchors/witness.ts';
import type { Config } from '#src/config.ts';

/**
 * The places outside that are configured.
 * @throws Error when one of them lacks what its answers are verified with, or may be sent with
 */
export function configuredTargets(config: Config, database: Database, now: () => number): AnchorTarget[] {
  const targets = [
    timeStamps(config, now),
    config.ANCHOR_AUDITOR_URL === undefined ? undefined : auditorTarget(config.ANCHOR_AUDITOR_URL),
    bucket(config, now),
    witness(config, database),
  ];
  return targets.filter((target) => target !== undefined);
}

function timeStamps(
  { ANCHOR_TSA_URL: url, ANCHOR_TSA_CA: authority }: Config,
  now: () => number,
): AnchorTarget | undefined {
  if (url === undefined) return undefined;
  if (authority === undefined) throw new Error('ANCHOR_TSA_URL needs ANCHOR_TSA_CA');
  return timeStampTarget(url, trustedCertificates(authority), now);
}

function bucket(config: Config, now: () => number): AnchorTarget | undefined {
  const { ANCHOR_BUCKET_URL: url, ANCHOR_BUCKET_REGION: region, ANCHOR_RETENTION_DAYS: retentionDays } = config;
  const { ANCHOR_BUCKET_ACCESS_KEY_ID: accessKeyId, ANCHOR_BUCKET_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (url === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error('ANCHOR_BUCKET_URL needs ANCHOR_BUCKET_ACCESS_KEY_ID and ANCHOR_BUCKET_SECRET_ACCESS_KEY');
  }
  return bucketTarget({ url, region, accessKeyId, secretAccessKey, retentionDays }, now);
}

function witness(config: Config, database: Database): AnchorTarget | undefined {
  const settings = configuredWitness(config, database);
  return settings && witnessTarget(settings);
}

/** @throws Error without the key that its signatures are verified with */
export function configuredWitness(
  { ANCHOR_WITNESS_URL: url, ANCHOR_WITNESS_KEY: key }: Config,
  database: Database,
): WitnessSettings | undefined {
  if (url === undefined) return undefined;
  if (key === undefined) throw new Error('ANCHOR_WITNESS_URL needs ANCHOR_WITNESS_KEY');
  return { url, key: readWitnessKey(key), database };
}
