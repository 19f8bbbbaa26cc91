// tests are the tests by their names.
const tests = {};

export default function () {
  for (const name of Object.keys(tests)) {
    group(name, () => {
      let failed = null;
      try {
        tests[name]();
      } catch (error) {
        failed = error;
        console.error(`${name}: ${error.message}`);
      }
      check(failed, { [name]: (error) => error === null });
    });
  }
}
