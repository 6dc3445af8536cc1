const TYPES = { csv: 'text/csv', json: 'application/json', txt: 'text/plain' } as const;

/** Saves a file under a name that every operating system accepts. */
export function saveFile(name: string, ending: keyof typeof TYPES, content: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type: `${TYPES[ending]};charset=utf-8` }));
  link.download = `${name.replace(/[^\p{L}\p{N} ._-]/gu, '')}.${ending}`;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
