/** Whether the service answers, whatever the browser thinks of its connection: it may run on this machine. */
const isServiceThere = (): Promise<boolean> =>
  fetch(location.pathname, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Loads a script that was not needed before. */
export async function loadLater<Module>(load: () => Promise<Module>): Promise<Module> {
  // A script that is not asked for now can be asked for later in every browser.
  if (!navigator.onLine && !(await isServiceThere())) throw new Error('No connection');
  return load();
}
