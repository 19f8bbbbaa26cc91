package export

// Names for tests in package export_test, which write suites in all formats and run the files with the
// tools of each language. These tests are here and not in export/format because they share suites and the
// test service with the tests of Go files.
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
	Update     = update
)

type Service = service

// WantAsked checks the requests that the test service has got.
var WantAsked = (*service).wantAsked
