import type { RedisAddress, RedisHost } from './redis-address.ts';

/** The part of the client that is used here: its own type differs with every option. */
export type Client = {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
  sendCommand(words: readonly string[]): Promise<unknown>;
  on(event: 'error', told: () => void): unknown;
};

/** A client of one server, not connected yet; loads the library. `isSentinel`: it only names servers. */
export async function clientOf(
  { credentials, sentinelCredentials, database, isEncrypted }: RedisAddress,
  { host, port }: RedisHost,
  { deadlineMs, isSentinel = false }: { readonly deadlineMs: number; readonly isSentinel?: boolean },
): Promise<Client> {
  const { createClient } = await import('redis');
  return createClient({
    ...(isSentinel ? sentinelCredentials : { ...credentials, database }),
    // Supported by every server and proxy; our scripts need no more.
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // No reconnection: a new connection may reach a server that has lost data, which its user has to know.
    socket: {
      host,
      port,
      connectTimeout: deadlineMs,
      reconnectStrategy: false,
      ...(isEncrypted && { tls: true }),
    },
  });
}

export function end(client: Client): void {
  if (client.isOpen) client.destroy();
}
