// Package units finds the functions of a Go module that can be tested with mocks, as section 3.3.1 of the RICK paper
// does for methods in Java. It reads source and runs nothing.
//
// Words of this package:
//
//   - A function under test is a function or a method with a mockable call.
//   - A mockable call is a call of a method of an interface, or of a function value, that was injected: it comes from a
//     parameter, from a field of the receiver, or from a field of a parameter, so that a test can put a mock there.
//   - The inputs of a function are its parameters, and the fields of its receiver that it reads. A test must write them
//     as Go values or as mocks.
//
// RICK takes the public methods of classes, because tests in Java can call only these. A Go test in the same package can
// call all functions. RICK mocks types of the project only. Interfaces of other modules are mockable here, too, because
// a Go service declares the interfaces of its libraries seldom itself. Interfaces of the standard library are not, except
// for those by which a service exchanges data with others, see standardSeams.
package units
