// Imported by programs that run tests, because vite, which loads the tests, interprets paths as URLs.
if (/[#?%]/.test(process.cwd())) {
  console.error(
    'The tests cannot run in a folder whose path contains #, ? or %: rename it. The service itself runs there.',
  );
  process.exit(1);
}
