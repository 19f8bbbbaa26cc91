//go:build !unix

package recording

import "errors"

// makePipe returns an error: this system has no named pipes with paths.
func makePipe(string) error { return errors.New("invocations cannot be recorded on this system") }
