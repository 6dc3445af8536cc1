/** Why the service cannot start: one sentence for its operator, with the fix and without secrets. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
  /** Whether only different settings can fix it. A supervisor should then not try again. */
  readonly isOfSettings: boolean;

  constructor(message: string, { isOfSettings = false }: { readonly isOfSettings?: boolean } = {}) {
    super(message);
    this.isOfSettings = isOfSettings;
  }
}

/** An address to listen on, and the settings that define it. */
export type ListenAddress = {
  readonly port: number;
  readonly host: string;
  readonly settings?: { readonly port: string; readonly host: string };
};

const OWN = { port: 'PORT', host: 'HOST' } as const;

const remedies: Readonly<Record<string, (address: Required<ListenAddress>) => string>> = {
  EADDRINUSE: ({ port, host, settings }) =>
    `Port ${port} of ${host} is in use: stop the program that uses it, or set ${settings.port} to another port.`,
  EACCES: ({ port, host, settings }) =>
    `This user is not allowed to listen on port ${port} of ${host}: set ${settings.port} to a port above 1023.`,
  EADDRNOTAVAIL: ({ host, settings }) =>
    `${host} is not an address of this machine: set ${settings.host} to one that is, or to 127.0.0.1.`,
  ENOTFOUND: ({ host, settings }) =>
    `This machine does not know the name ${host}: set ${settings.host} to an address, such as 127.0.0.1.`,
};

/** The fault of an unusable address; any other error unchanged. */
export function listenFault(error: unknown, address: ListenAddress): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const remedy = remedies[code]?.({ settings: OWN, ...address });
  return remedy === undefined ? error : Object.assign(new StartFault(remedy), { code });
}
