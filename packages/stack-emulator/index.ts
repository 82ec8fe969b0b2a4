/** The only module that other folders may import. */

export { announcedEmulator, announceEmulator } from './announce.ts';
export { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
export type { Fallback } from './rest-api/handle.ts';
export type { RequestObserver, RespondedRequest } from './rest-api/request-observer.ts';
export type { RunningVersion } from './running-stack.ts';
export { dataDirFrom, settingsFrom } from './settings.ts';
export { synthesize } from './synthesize.ts';
export { messageOf, UserError } from './user-error.ts';
