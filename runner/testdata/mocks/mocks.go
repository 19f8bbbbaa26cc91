// Package mocks has the modules of mocks that tests of generated unit tests use.
package mocks

import (
	_ "github.com/stretchr/testify/mock"
	_ "go.uber.org/mock/gomock"
)
