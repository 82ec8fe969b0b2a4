/** Returns what a changelog in the format of keepachangelog.com has under `## [version]`, or '' if it has nothing. */
export function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`)) ?? '';
  // Links to the versions may follow the last section.
  return section
    .split('\n')
    .slice(1)
    .filter((line) => !/^\[[^\]]+\]: /.test(line))
    .join('\n')
    .trim();
}
