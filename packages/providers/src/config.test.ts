import { expect, test } from 'vitest';
import { baseUrlSchema } from '#src/config.ts';

test.each(['https://pix.example.com', 'http://127.0.0.1:9090', 'http://[::1]:9090', 'http://psp-simulator:9090'])(
  'a provider may be reached at %s',
  (url) => {
    expect(baseUrlSchema.parse(url)).toEqual(new URL(url));
  },
);

test.each(['http://pix.example.com', 'http://10.0.0.7', 'http://[fd00::1]:9090', 'ftp://psp-simulator'])(
  'credentials never travel in clear to %s',
  (url) => {
    expect(baseUrlSchema.safeParse(url).success).toBe(false);
  },
);
