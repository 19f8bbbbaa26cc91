package export

// Names for tests in package export_test. These write suites in all formats and run the files with the tools of each
// language. They are here and not in export/format because they share their suites and service with the tests of Go.
var (
	Served     = served
	NewService = newService
	AnyText    = text
	AnyJSON    = anyJSON
	AnySuite   = anySuite
	Compile    = compile
	Safe       = safe
	Keyholders = keyholders
	Keys       = keys
	CheckSome  = checkSome
)

type Service = service

// WantAsked is wantAsked.
var WantAsked = (*service).wantAsked
