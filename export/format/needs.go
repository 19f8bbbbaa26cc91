package format

// What must be installed to run the files of each format: the heads of the files and Format.Needs say it.
const (
	goNeeds      = "Go 1.18 or later"
	hurlNeeds    = "Hurl 7 or later"
	pytestNeeds  = "pytest and requests"
	nodeNeeds    = "Node.js 20 or later"
	javaNeeds    = "JUnit 5, REST Assured and Jackson"
	k6Needs      = "k6"
	postmanNeeds = "Newman, or Postman"
	brunoNeeds   = "Bruno, or its command line"
	httpNeeds    = "httpYac, or the HTTP Client of JetBrains"
	curlNeeds    = "curl and jq"
	arazzoNeeds  = "a runner of Arazzo workflows"
)
