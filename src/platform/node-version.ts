// Every program imports this first, because older releases of Node.js fail later, each in its own way.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Node.js ${process.versions.node} is too old: this needs 20.19 or newer, and 26 is recommended (https://nodejs.org).\n`,
  );
  process.exit(1);
}
