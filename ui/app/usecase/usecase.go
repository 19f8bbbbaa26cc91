// Package usecase has the interfaces and the data between the use cases of Sonde (package app) and
// its faces (the screens of ui/tui and the commands of ui/cli). It contains no logic: package app
// implements the interfaces, and the faces call them.
package usecase
