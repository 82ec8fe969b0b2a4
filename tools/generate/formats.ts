import { fullFormats } from 'ajv-formats/dist/formats.js';

// RFC 3339, with leap years, but without leap seconds.
const MONTH_OF_31_DAYS = String.raw`(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])`;
const MONTH_OF_30_DAYS = String.raw`(?:0[469]|11)-(?:0[1-9]|[12]\d|30)`;
const FEBRUARY = String.raw`02-(?:0[1-9]|1\d|2[0-8])`;
const LEAP_YEAR = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`;
const DATE = String.raw`(?:\d{4}-(?:${MONTH_OF_31_DAYS}|${MONTH_OF_30_DAYS}|${FEBRUARY})|${LEAP_YEAR}-02-29)`;
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)`;

/** The formats in ajv-formats for these names, except that `uuid` rejects `urn:uuid:`. */
export const FORMATS = {
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  email: fullFormats.email,
  date: new RegExp(`^${DATE}$`),
  'date-time': new RegExp(`^${DATE}T${TIME}$`, 'i'),
};
