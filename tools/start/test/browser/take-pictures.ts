/** `npm run pictures`: takes the pictures of the README again. */
import { launchBrowser } from './browser.ts';
import { takePictures } from './pictures.ts';

const browser = await launchBrowser();
await takePictures(browser, 'docs/pictures');
await browser.close();
