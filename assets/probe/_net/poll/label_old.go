//go:build unix && !go1.24

package poll

import "unsafe"

// Releases of Go before 1.24 have another type of labels. With these releases, requests are not tracked.

func sondeCurrentRequest() (string, uint64) { return "", 0 }
func sondeSetRequest(string) unsafe.Pointer { return nil }
func sondeRestoreLabels(unsafe.Pointer)     {}
func sondeMarkSend(string, uint64)          {}
func SondeClearRequest()                    {}
func SondeKeepRequest(unsafe.Pointer)       {}
func SondeLabels() unsafe.Pointer           { return nil }
func SondeRequestTag() uint8                { return sondeUnknownRequest }
