// Imported first by every script: what follows cannot even be loaded by some older Node.js.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Node.js ${process.versions.node} is too old: this needs 20.19 or newer, and 26 is recommended (https://nodejs.org).`,
  );
  process.exit(1);
}
