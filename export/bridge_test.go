package export

// What the tests of the formats, which are in a package of their own, share with those of
// Go.
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
)

type Service = service

// WantAsked is wantAsked.
var WantAsked = (*service).wantAsked
