// Package run holds the helpers that exported tests in other languages than Go have in
// their file.
package run

import _ "embed"

// JavaTLSImports is what JavaTLS imports.
const JavaTLSImports = `import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
`

// The helpers of each format. Values reads JSON and spells values in JavaScript, and
// Reply checks answers there; Node and K6 send
// requests, and K6Tests runs the tests. Those called Sessions are
// what tests need besides whose users log in, those called Expect what tests of faults do,
// and those called TLS what those need for which files of certificates are configured.
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
	//go:embed tls.py
	PytestTLS string
	//go:embed tls.mjs
	NodeTLS string
	//go:embed Tls.java
	JavaTLS string
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
