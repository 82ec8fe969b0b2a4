/** What the rest of the project may use of the emulator. */
export { type Emulator, type EmulatorOptions, type RunningVersion, startEmulator } from './emulator.ts';
export { EmulatorError } from './emulator-error.ts';
export type { RequestObserver, RespondedRequest } from './rest-api/request-observer.ts';
export { announcedEmulator, announceEmulator, withdrawEmulator } from './running-emulator.ts';
export { dataDirFrom, type Settings, settingsFrom } from './settings.ts';
export { type SynthesizeOptions, synthesize } from './synthesize.ts';
