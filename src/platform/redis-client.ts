import type { RedisAddress, RedisHost } from './redis-address.ts';

/** What we use of the client: its own type differs with every option. */
export type Client = {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
  sendCommand(words: readonly string[]): Promise<unknown>;
  on(event: 'error', told: () => void): unknown;
};

/** A client of one server, without a connection yet; the library is loaded now. `isSentinel`: it only names servers. */
export async function clientOf(
  { credentials, sentinelCredentials, database, isEncrypted }: RedisAddress,
  { host, port }: RedisHost,
  { deadlineMs, isSentinel = false }: { readonly deadlineMs: number; readonly isSentinel?: boolean },
): Promise<Client> {
  const { createClient } = await import('redis');
  return createClient({
    ...(isSentinel ? sentinelCredentials : { ...credentials, database }),
    // Understood by every server and proxy; our scripts need no more.
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // A connection that is lost stays lost: whoever uses the next one knows that it is another, perhaps to a server
    // that forgot.
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
