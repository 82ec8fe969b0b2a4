import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFunction } from '../../lib/functions/bundle/build.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../lib/names.ts';

const PAGE = join(import.meta.dirname, '../../docs/performance.md');
const HEAD = `| bytes of | ${FUNCTION_NAMES.join(' | ')} |\n|---|${'---:|'.repeat(FUNCTION_NAMES.length)}\n`;

/**
 * The number of bytes in each bundle, by table row: `total`, the scope or name of a package, `lambda` for our own code,
 * or `esbuild` for the code that esbuild adds.
 */
export type Sizes = Readonly<Record<string, Partial<Record<string, number>>>>;

export function measureSizes(): Sizes {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-sizes-'));
  try {
    return Object.fromEntries(FUNCTION_NAMES.map((name) => [name, sizesOf(name, folder)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sizesOf(name: FunctionName, folder: string): Partial<Record<string, number>> {
  const { outputs } = buildFunction(name, folder);
  const sizes: Record<string, number> = { total: 0, esbuild: 0 };
  const add = (row: string, bytes: number) => {
    sizes[row] = (sizes[row] ?? 0) + bytes;
  };
  for (const [file, { bytes, inputs }] of Object.entries(outputs)) {
    if (!file.endsWith('.cjs')) continue;
    add('total', bytes);
    add('esbuild', bytes);
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [row = ''] = (path.split('node_modules/').at(-1) ?? '').split('/');
      add(row, bytesInOutput);
      add('esbuild', -bytesInOutput);
    }
  }
  return sizes;
}

/** Returns the sizes as a Markdown table, sorted by size, without rows that are below 100 bytes in every bundle. */
export function tableOf(sizes: Sizes): string {
  const rows = [...new Set(Object.values(sizes).flatMap((bundle) => Object.keys(bundle)))]
    .map((row) => ({ row, bytes: FUNCTION_NAMES.map((name) => sizes[name]?.[row] ?? 0) }))
    .filter(({ bytes }) => Math.max(...bytes) >= 100)
    .sort((a, b) => sum(b.bytes) - sum(a.bytes));
  const lines = rows.map(({ row, bytes }) => {
    const cells = bytes.map((count) => (count === 0 ? '' : count.toLocaleString('en')));
    return `| ${row === 'total' ? row : `\`${row}\``} | ${cells.join(' | ')} |\n`;
  });
  return `${HEAD}${lines.join('')}`;
}

/** Reads the total of each bundle from docs/performance.md, by the name of the function. */
export function documentedTotals(): ReadonlyMap<string, number> {
  const page = readFileSync(PAGE, 'utf8');
  const [, names = ''] = /^\| bytes of \| (.*) \|$/m.exec(page) ?? [];
  const [, totals = ''] = /^\| total \| (.*) \|$/m.exec(page) ?? [];
  const bytes = totals.split(' | ').map((total) => Number(total.replaceAll(',', '')));
  return new Map(names.split(' | ').map((name, column) => [name, bytes[column] ?? Number.NaN]));
}

/** Replaces the table of sizes in docs/performance.md. */
export function documentSizes(table: string): void {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(/^\| bytes of \|.*\n(?:\|.*\n)*/m, () => table),
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
