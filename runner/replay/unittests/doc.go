// Package unittests generates unit tests with mocks from recorded invocations, as the RICK paper (section 3.3) does for
// Java: each test calls a function under test with its recorded inputs, and mocks answer as the real objects did.
//
// The tests have the paper's three oracles:
//
//   - output: results, and what the function changed in its receiver and in its arguments
//   - parameter: the arguments of the calls that mocks receive
//   - call: the order and the number of these calls
//
// Tests are in the package of the function, so they can write fields and call functions that are not exported. They use
// only the standard library.
package unittests
