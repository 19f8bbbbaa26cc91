package gotest

// defaultURL and credentials stand for what an export writes above the tests.
const defaultURL = ""

var credentials = map[string]credential{
	"alice": {header: "Authorization", env: "GOTEST_ALICE", public: "Bearer alice"},
}
