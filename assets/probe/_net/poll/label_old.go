//go:build unix && !go1.24

package poll

import "unsafe"

// Older releases have another type of labels. Requests are not tracked with them.

func sondeCurrentRequest() (string, uint64) { return "", 0 }
func sondeSetRequest(string) unsafe.Pointer { return nil }
func sondeRestoreLabels(unsafe.Pointer)     {}
func sondeMarkSend(string, uint64)          {}
func SondeClearRequest()                    {}
func SondeKeepRequest(unsafe.Pointer)       {}
func SondeLabels() unsafe.Pointer           { return nil }
