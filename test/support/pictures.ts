import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const PROJECT = join(import.meta.dirname, '../..');
/** The folder for pictures of the service as it looks now. `npm run pictures` copies them to docs/pictures. */
const PICTURES = join(PROJECT, 'reports/pictures');

export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
}

/**
 * Writes the picture. @throws Error if it differs from the picture with the same name in docs/pictures
 * @param page any page; its browser compares the pictures
 */
export async function comparePicture(page: Page, name: string, picture: Buffer): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(join(PICTURES, name), picture);
  const pictures = [picture, readFileSync(join(PROJECT, 'docs/pictures', name))];
  // The pictures are scaled down so far that fonts do not matter.
  const difference = await page.evaluate(`(async () => {
    const [one, other] = await Promise.all(${JSON.stringify(pictures.map((each) => each.toString('base64')))}.map(async (picture) => {
      const bytes = Uint8Array.fromBase64(picture);
      const image = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(16, 12).getContext('2d');
      canvas.drawImage(image, 0, 0, 16, 12);
      return canvas.getImageData(0, 0, 16, 12).data;
    }));
    return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]), 0) / one.length;
  })()`);
  if (Number(difference) < 6) return;
  throw new Error(`docs/pictures/${name} is out of date: run npm run pictures, and check the new picture`);
}
