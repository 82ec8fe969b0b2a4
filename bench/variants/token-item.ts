import { asTokenRecord, type TokenRecord } from '../../lambda/shared/tokens/token-record.ts';

/** A token's item in DynamoDB's own words, read by hand. */
export function tokenRecordOf(item: Record<string, { S?: string; N?: string }>): TokenRecord {
  const { id, name, hash, issuedAt, expiresAt } = item;
  return asTokenRecord({
    id: id?.S,
    name: name?.S,
    hash: hash?.S,
    issuedAt: Number(issuedAt?.N),
    ...(expiresAt === undefined ? {} : { expiresAt: Number(expiresAt.N) }),
  });
}
