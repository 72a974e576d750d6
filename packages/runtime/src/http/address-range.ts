import { isIPv4, isIPv6 } from 'node:net';

type Family = 4 | 6;

const bitsOf = { 4: 32, 6: 128 } as const satisfies Record<Family, number>;
/** Bits before the IPv4 address in an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2). */
const mappedPrefixBits = 96;
/** Who holds one IPv6 address usually holds all that begin with the same bits. */
const subscriberBits = 64;

interface Address {
  readonly family: Family;
  readonly value: bigint;
}

/** All addresses that begin with the same bits; one address is a range of its own. */
export interface AddressRange extends Address {
  readonly prefixBits: number;
}

/** Reads an address or CIDR range (RFC 4632, RFC 4291); undefined when the text is neither. Bits behind the prefix are cleared. */
export function parseRange(text: string): AddressRange | undefined {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const address = parseWritten(addressText);
  if (!address || rest.length > 0) return undefined;
  const bits = bitsOf[address.family];
  if (prefixText !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefixText)) return undefined;
  const prefixBits = prefixText === undefined ? bits : Number(prefixText);
  if (prefixBits > bits) return undefined;
  return unmapped({ family: address.family, value: masked(address, prefixBits), prefixBits });
}

/** One address as a socket or a proxy reports it: IPv4, IPv6, or IPv4 mapped into IPv6, which is the same as IPv4. */
export function parseAddress(text: string): Address | undefined {
  const address = parseWritten(text);
  return address && unmapped({ ...address, prefixBits: bitsOf[address.family] });
}

/** The one way a range is written: IPv6 as in RFC 5952, a single address without its prefix. */
export function formatRange({ family, value, prefixBits }: AddressRange): string {
  const address = family === 4 ? formatIpv4(value) : formatIpv6(value);
  return prefixBits === bitsOf[family] ? address : `${address}/${prefixBits}`;
}

export function contains(range: AddressRange, address: Address): boolean {
  return range.family === address.family && masked(address, range.prefixBits) === range.value;
}

/** Whether an address is in one of the ranges, as written; what is neither address nor range is in none. */
export function isWithin(ranges: readonly string[], address: string): boolean {
  const parsed = parseAddress(address);
  return (
    parsed !== undefined &&
    ranges.some((text) => {
      const range = parseRange(text);
      return range !== undefined && contains(range, parsed);
    })
  );
}

/** Whether every address of a range is in one of the ranges, as written; what is no range is in none. */
export function isCovered(ranges: readonly string[], inner: string): boolean {
  const wanted = parseRange(inner);
  if (!wanted) return false;
  return ranges.some((text) => {
    const range = parseRange(text);
    return range !== undefined && range.prefixBits <= wanted.prefixBits && contains(range, wanted);
  });
}

/** What counts as one caller: an IPv4 address, and of IPv6 the /64, which is what one subscriber has. */
export function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed) return address;
  const prefixBits = parsed.family === 6 ? subscriberBits : bitsOf[4];
  return formatRange({ family: parsed.family, value: masked(parsed, prefixBits), prefixBits });
}

function parseWritten(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, value: ipv4Value(text) };
  // A zone names an interface of one machine; it says nothing about a caller.
  if (isIPv6(text) && !text.includes('%')) return { family: 6, value: ipv6Value(text) };
  return undefined;
}

function ipv4Value(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function ipv6Value(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array<bigint>(8 - before.length - after.length).fill(0n);
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | group, 0n);
}

/** The 16-bit groups of a part of an IPv6 address; its last 32 bits may be written as IPv4. */
function groupsOf(part: string): bigint[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const value = ipv4Value(group);
    return [value >> 16n, value & 0xffffn];
  });
}

function unmapped(range: AddressRange): AddressRange {
  const isMapped = range.family === 6 && range.prefixBits >= mappedPrefixBits && range.value >> 32n === 0xffffn;
  if (!isMapped) return range;
  return { family: 4, value: range.value & 0xffff_ffffn, prefixBits: range.prefixBits - mappedPrefixBits };
}

function masked({ family, value }: Address, prefixBits: number): bigint {
  const freeBits = BigInt(bitsOf[family] - prefixBits);
  return (value >> freeBits) << freeBits;
}

function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

function formatIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn);
  // The URL standard writes IPv6 hosts as RFC 5952 does.
  return new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);
}
