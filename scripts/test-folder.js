// Imported by what runs tests: vite, which loads them, takes paths for addresses.
if (/[#?%]/.test(process.cwd())) {
  console.error(
    'The tests run in no folder whose path has a #, ? or % in it: rename it. The service itself runs there.',
  );
  process.exit(1);
}
