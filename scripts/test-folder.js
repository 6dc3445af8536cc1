// Imported by programs that run tests, because vite, which loads them, interprets paths as addresses.
if (/[#?%]/.test(process.cwd())) {
  console.error(
    'The tests run in no folder whose path has a #, ? or % in it: rename it. The service itself runs there.',
  );
  process.exit(1);
}
