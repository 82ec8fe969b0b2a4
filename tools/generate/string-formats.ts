import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';

// RFC 3339, without leap seconds.
const LEAP_YEAR = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`;
const NO_SUCH_DAY = String.raw`\d{4}-(?:02-3|(?:0[469]|11)-31)|(?!${LEAP_YEAR})\d{4}-02-29`;
const DATE = String.raw`(?!${NO_SUCH_DAY})\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)`;

/** Formats of strings, as in ajv-formats, but `uuid` rejects `urn:uuid:`. */
export const STRING_FORMATS: Readonly<Record<string, Format>> = {
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  email: fullFormats.email,
  date: new RegExp(`^${DATE}$`),
  'date-time': new RegExp(`^${DATE}T${TIME}$`, 'i'),
};
