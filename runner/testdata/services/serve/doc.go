// Package serve has the common code of the services for studies: they use it to listen, read
// requests, answer, and have planted faults.
package serve
