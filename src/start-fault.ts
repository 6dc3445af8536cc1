/** Why the service cannot start, as one sentence for its operator that holds the remedy and no secret. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}

const remedies: Readonly<Record<string, (where: { port: number; host: string }) => string>> = {
  EADDRINUSE: ({ port, host }) =>
    `Port ${port} of ${host} is in use: end what listens there, or set PORT to another one.`,
  EACCES: ({ port, host }) =>
    `This user may not listen on port ${port} of ${host}: set PORT to another one, above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is no address of this machine: set HOST to one that is, or to 127.0.0.1.`,
  ENOTFOUND: ({ host }) =>
    `${host} is no name that this machine knows: set HOST to an address, such as 127.0.0.1.`,
};

/** The fault of a port that cannot be listened on; any other error as it is. */
export function listenFault(error: unknown, where: { port: number; host: string }): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const remedy = remedies[code]?.(where);
  return remedy === undefined ? error : Object.assign(new StartFault(remedy), { code });
}
