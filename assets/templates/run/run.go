// Package run holds the helpers of exported tests in languages other than Go. It runs nothing
// itself.
package run

import _ "embed"

// JavaTLSImports are the imports that JavaTLS needs.
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

// The helpers of each format. In JavaScript, Values reads JSON and escapes values, Reply checks
// answers, Node and K6 send requests, and K6Tests runs the tests. Helpers named Sessions are for
// tests whose users log in, those named Expect for tests of faults, and those named TLS for
// configured files of certificates.
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
