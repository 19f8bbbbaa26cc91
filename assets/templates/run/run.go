// Package run holds the helpers that exported tests in other languages than Go have in
// their file.
package run

import _ "embed"

// The helpers of each format. Values reads JSON and spells values in JavaScript, and
// Reply checks answers there; Node and K6 send
// requests, and K6Tests runs the tests. Those called Sessions are
// what tests need besides whose users log in, and those called Expect what tests of faults do.
var (
	//go:embed curl.sh
	Curl string
	//go:embed pytest.py
	Pytest string
	//go:embed values.js
	Values string
	//go:embed reply.js
	Reply string
	//go:embed node.mjs
	Node string
	//go:embed k6.js
	K6 string
	//go:embed k6tests.js
	K6Tests string
	//go:embed sessions.py
	PytestSessions string
	//go:embed sessions.sh
	CurlSessions string
	//go:embed sessions.mjs
	NodeSessions string
	//go:embed sessions.k6.js
	K6Sessions string
	//go:embed Sessions.java
	JavaSessions string
	//go:embed imports.java
	JavaImports string
	//go:embed SondeTest.java
	Java string
	//go:embed expect.sh
	CurlExpect string
	//go:embed expect.py
	PytestExpect string
	//go:embed expect.js
	JavaScriptExpect string
	//go:embed Expectation.java
	JavaExpect string
)
