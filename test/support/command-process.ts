/**
 * A process that runs commands from bin/, one after another. For each message `{ name, args, env }`, it runs the
 * command, and sends back the Outcome. Node and the packages are loaded only once for all commands.
 */
let written = { stdout: '', stderr: '' };
for (const stream of ['stdout', 'stderr'] as const) {
  process[stream].write = (text: string | Uint8Array) => {
    written[stream] += text;
    return true;
  };
}
process.setMaxListeners(0);

let count = 0;
process.on(
  'message',
  async ({ name, args, env }: { name: string; args: string[]; env: NodeJS.ProcessEnv }) => {
    written = { stdout: '', stderr: '' };
    process.argv.splice(2, process.argv.length, ...args);
    for (const variable of Object.keys(process.env)) delete process.env[variable];
    Object.assign(process.env, env);
    process.exitCode = 0;
    count += 1;
    // The query string makes Node load and run the module again.
    await import(`../../bin/${name}.ts?${count}`).catch((error) => {
      process.exitCode = 1;
      written.stderr += `${error.stack}\n`;
    });
    process.send?.({ code: process.exitCode, ...written });
  },
);
