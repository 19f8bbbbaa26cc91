//go:build unix && !go1.24

package poll

import "unsafe"

// Older releases have another type of labels. Requests are not tracked with them.

func sondeWorksFor() (string, uint64) { return "", 0 }
func sondeWork(string) unsafe.Pointer { return nil }
func sondeResume(unsafe.Pointer)      {}
func sondeMark(string, uint64)        {}
func SondeIdle()                      {}
func SondeKeep(unsafe.Pointer)        {}
func SondeLabels() unsafe.Pointer     { return nil }
