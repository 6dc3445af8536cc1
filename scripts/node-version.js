// The commands import this before everything else, because older releases of Node.js fail later, each in its own way.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Node.js ${process.versions.node} is too old: this needs 20.19 or newer, and 26 is recommended (https://nodejs.org).`,
  );
  process.exit(1);
}
