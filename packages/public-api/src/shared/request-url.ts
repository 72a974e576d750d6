import { requestText } from '@gateway/contracts/values';

const form = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/]/;

/** An address that is to be called. Which ones may be is not for a schema to say: names are resolved for that. */
export function requestUrl(what: string) {
  return requestText(1, 2_048)
    .refine((text) => form.test(text) && URL.canParse(text), 'is not a valid URL')
    .meta({
      description: what,
      format: 'uri',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/]',
      examples: ['https://shop.example/hooks'],
    });
}
