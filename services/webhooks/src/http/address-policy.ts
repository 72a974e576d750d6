import { BlockList, isIP, isIPv4 } from 'node:net';

/** Special-purpose ranges of IPv4 (IANA registry) that may not be called (webhooks.md 1). */
const forbiddenIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // The host agent of Azure's machines, a public address that means another machine on each of them.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Global unicast. Everything outside is refused, which covers every way of embedding an IPv4 address. */
const globalIpv6 = ['2000::/3'];
const forbiddenIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'];
/** A developer's own machine and network. */
const localIpv4 = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];
const localIpv6 = ['::1/128', 'fc00::/7'];
/** Where clouds keep a machine's metadata inside of private ranges; the others are link-local, which no range above is. */
const metadata = ['fd00:ec2::254/128', 'fd20:ce::254/128'];

export interface AddressRules {
  /** Loopback and private addresses are receivers too. */
  readonly allowInsecure: boolean;
  /** The deployment's own networks, in CIDR notation. */
  readonly forbiddenRanges: readonly string[];
}

/** Decides which addresses a connection may be made to. */
export class AddressPolicy {
  readonly #forbidden: BlockList;
  readonly #global = blockList(globalIpv6);
  /** One list per family: a list holds IPv4 addresses against IPv6 ones that embed them. */
  readonly #local: Readonly<Record<'ipv4' | 'ipv6', BlockList>> | undefined;
  readonly #own: BlockList;

  constructor({ allowInsecure, forbiddenRanges }: AddressRules) {
    this.#forbidden = blockList([...forbiddenIpv4, ...forbiddenIpv6]);
    this.#local = allowInsecure ? { ipv4: blockList(localIpv4), ipv6: blockList(localIpv6) } : undefined;
    this.#own = blockList([...metadata, ...forbiddenRanges]);
  }

  /** True for everything that is not a public address, and for what is no address at all. */
  isForbidden(text: string): boolean {
    const address = text.split('%', 1)[0] ?? '';
    if (isIP(address) === 0) return true;
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (this.#own.check(address, family)) return true;
    if (this.#local?.[family].check(address, family)) return false;
    if (family === 'ipv6' && !this.#global.check(address, family)) return true;
    return this.#forbidden.check(address, family);
  }
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/');
    list.addSubnet(network, Number(prefix), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}
