// Package usecase defines the interfaces and the data between the use cases of Sonde (package app) and its
// user interfaces (the screens of ui/tui and the commands of ui/cli). It has no logic: package app
// implements the interfaces, and the user interfaces call them.
package usecase
