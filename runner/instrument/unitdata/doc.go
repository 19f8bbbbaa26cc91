// Package unitdata has the format in which a service records its invocations of functions under test, as the RICK paper
// (section 3.2) does for methods of Java.
//
// A build lists the functions and their mockable calls in a Manifest. The service appends a sondevalue.Invocation to a file each time
// such a function returns. Package assets/probe/sondeunits, which is compiled into the service, writes the lines; this
// package reads them.
//
// Lines are JSON. The first line of a process is a Process, the others are Invocations. If a process is killed, at most its
// last line is broken.
package unitdata
