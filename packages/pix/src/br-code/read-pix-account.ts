import {
  accountValueMaxCharacters,
  locationPattern,
  pixGui,
  type BrCodeRefusal,
  type DynamicBrCode,
  type RecurrenceBrCode,
  type StaticBrCode,
} from '#src/br-code/br-code.ts';
import { readTlv, type TlvField } from '#src/br-code/tlv.ts';

type PixAccount =
  | Pick<StaticBrCode, 'kind' | 'key' | 'description' | 'withdrawalIspb' | 'recurrenceLocation'>
  | Pick<DynamicBrCode, 'kind' | 'location' | 'recurrenceLocation'>
  | Pick<RecurrenceBrCode, 'kind' | 'recurrenceLocation'>;

type Template = ReadonlyMap<string, string>;

/**
 * Who a code pays: the Pix template among fields 26–51, and the recurrence of Pix Automático among 80–99.
 * Templates of other arrangements are left alone. A key and a location exclude each other (Manual do BR Code).
 */
export function readPixAccount(fields: readonly TlvField[]): PixAccount | BrCodeRefusal {
  const accounts = pixTemplates(fields, 26, 51);
  const recurrences = pixTemplates(fields, 80, 99);
  if (!accounts || !recurrences) return 'MALFORMED';
  const [account] = accounts;
  if (!account) return 'NOT_PIX';
  if (accounts.length > 1 || recurrences.length > 1) return 'ACCOUNT_INVALID';

  const recurrenceLocation = recurrences[0]?.get('25');
  if (recurrences.length > 0 && !isLocation(recurrenceLocation)) return 'ACCOUNT_INVALID';
  const key = account.get('01');
  const location = account.get('25');
  if (key !== undefined && location !== undefined) return 'ACCOUNT_INVALID';
  if (key !== undefined) return staticAccount(account, key, recurrenceLocation);
  if (location !== undefined) {
    return isLocation(location) ? { kind: 'dynamic', location, recurrenceLocation } : 'ACCOUNT_INVALID';
  }
  return recurrenceLocation === undefined ? 'ACCOUNT_INVALID' : { kind: 'recurrence', recurrenceLocation };
}

function staticAccount(account: Template, key: string, recurrenceLocation?: string): PixAccount | BrCodeRefusal {
  const withdrawalIspb = account.get('03');
  if (key.length > accountValueMaxCharacters) return 'ACCOUNT_INVALID';
  if (withdrawalIspb !== undefined && !/^[0-9A-Z]{8}$/.test(withdrawalIspb)) return 'ACCOUNT_INVALID';
  return { kind: 'static', key, description: account.get('02'), withdrawalIspb, recurrenceLocation };
}

/** The templates of the Pix arrangement between two ids; null when a template there cannot be read. */
function pixTemplates(fields: readonly TlvField[], firstId: number, lastId: number): Template[] | null {
  const templates: Template[] = [];
  for (const { id, value } of fields) {
    if (Number(id) < firstId || Number(id) > lastId) continue;
    const list = readTlv(value);
    if (!list) return null;
    const template = new Map(list.map((field) => [field.id, field.value]));
    if (template.get('00')?.toLowerCase() === pixGui) templates.push(template);
  }
  return templates;
}

function isLocation(text: string | undefined): boolean {
  return text !== undefined && text.length <= accountValueMaxCharacters && locationPattern.test(text);
}
